/** Finding people in a list: every word must occur somewhere, whatever the case and the accents. */
import type { User } from "../../api/types";

type Findable = Pick<User, "name" | "display_name" | "email" | "roles">;

export function findUsers<Item extends Findable>(users: readonly Item[], wanted: string): Item[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  return users.filter((user) => {
    const text = plain([user.name, user.display_name, user.email ?? "", ...user.roles].join("\n"));
    return words.every((word) => text.includes(word));
  });
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$/;

/** The server's rule for names of users and roles. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Two letters that stand for somebody. */
export function initials(displayName: string): string {
  const words = displayName.trim().split(/[\s._-]+/).filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return (letter(words[0]) + letter(last)).toLocaleUpperCase() || "?";
}

/** The first letter as people see it, accents and all. */
function letter(word = ""): string {
  return new Intl.Segmenter().segment(word).containing(0)?.segment ?? "";
}

/** Letters that are not a plain one with an accent, yet are typed as one on other keyboards. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  þ: "th",
};

function plain(text: string): string {
  const bare = text.toLowerCase().normalize("NFD").replace(/\p{Diacritic}/gu, "");
  return bare.replace(/[ßæœøđðħıłþ]/g, (letter) => TYPED_AS[letter] ?? letter);
}
