/** What can be gone to or done from anywhere, and which of it somebody means by what they type. */

export interface Command {
  id: string;
  /** Of which kind it is, in the reader's words. */
  kind: string;
  name: string;
  /** Other words that it is found by: its address, its type. */
  also?: string;
  run: () => void;
}

const MOST = 12;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id somebody pasted, if what they typed is one. */
export function pastedId(text: string): string | null {
  const given = text.trim();
  return ID.test(given) ? given.toLowerCase() : null;
}

/** Accents and case are no difference to somebody who types. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** How well a name fits: its beginning before a word's beginning before anywhere; null when a word of it is not there. */
function fit(name: string, words: readonly string[]): number | null {
  let sum = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at < 0) return null;
    sum += at === 0 ? 0 : /[^\p{L}\p{N}]/u.test(name[at - 1] ?? "") ? 1 : 2;
  }
  return sum;
}

/** The best first; among equals the order stays. Without a word everything is shown, as far as there is room. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  return commands
    .flatMap((command, place) => {
      const byName = fit(plain(command.name), words);
      const byAll = byName ?? fit(plain(`${command.name} ${command.kind} ${command.also ?? ""}`), words);
      return byAll === null ? [] : [{ command, place, rank: byName === null ? 10 + byAll : byAll }];
    })
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .slice(0, MOST)
    .map(({ command }) => command);
}
