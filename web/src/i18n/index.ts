/** Sets up the languages. Only the one that is spoken is loaded; English is the model that every other one is checked against. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import words from "virtual:words";
import { FILLED_IN } from "./filledIn";
import { setFormats } from "./formats";
import { firstLanguage, type Language, PSEUDO } from "./language";
import { type Volume, volumesFor } from "./volumes";
import type { Words } from "./words";

const KEY = "holdfast.language";
/** `?locale=fr` in the address: for this tab, and over what was chosen. */
const ASKED = "holdfast.locale";

/** What the pages visited so far needed; a language is spoken when all of it is there. */
const wanted = new Set<Volume>(["first"]);
const present = new Set<string>();

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: Words };
    nsSeparator: false;
    returnNull: false;
  }
}

/** Resolves when there are words to draw with. `first-paint.js` has the browser fetch them beside everything else. */
export async function startLanguages(): Promise<void> {
  const language = firstLanguage([asked(), remembered()], navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: {},
    // Permissions are keys too, and they are written with a colon.
    nsSeparator: false,
    interpolation: FILLED_IN,
    react: { transKeepBasicHtmlNodesFor: [] },
  });
  await bring(language);
  announce(i18next.language);
  i18next.on("languageChanged", announce);
}

/** Has what a page says in the language that is spoken, before the page is drawn. */
export async function wordsFor(path: string): Promise<void> {
  for (const volume of volumesFor(path)) wanted.add(volume);
  if (i18next.isInitialized) await bring();
}

/** The page keeps its words until the others are there, so that nobody ever sees none. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
    sessionStorage.removeItem(ASKED);
  } catch {
    // Storage is switched off: the choice then lasts as long as the page.
  }
  await bring(language);
  await i18next.changeLanguage(language);
}

/** Ends when all that is wanted is there: somebody may go on to another page, or to another language, meanwhile. */
async function bring(language?: Language): Promise<void> {
  for (;;) {
    const spoken = language ?? (i18next.language as Language);
    const lacking = [...wanted].filter((volume) => !present.has(`${spoken} ${volume}`));
    if (lacking.length === 0) return;
    await Promise.all(lacking.map((volume) => add(spoken, volume)));
  }
}

/** What is being fetched already is not fetched twice: the browser knows its modules. */
async function add(language: Language, volume: Volume): Promise<void> {
  i18next.addResourceBundle(language, "translation", await load(language, volume), true);
  present.add(`${language} ${volume}`);
}

async function load(language: Language, volume: Volume): Promise<Partial<Words>> {
  const first = await words[language === PSEUDO ? "en" : language]();
  const { default: messages } = volume === "first" ? first : await first.later[volume]();
  return language === PSEUDO ? (await import("./pseudo")).pseudo(messages) : messages;
}

function announce(language: string): void {
  document.documentElement.lang = language;
  setFormats(language, navigator.languages);
}

/** Kept for the tab: the address changes with the first step. */
function asked(): string | null {
  try {
    const locale = new URLSearchParams(location.search).get("locale");
    if (locale) sessionStorage.setItem(ASKED, locale);
    return locale ?? sessionStorage.getItem(ASKED);
  } catch {
    return null;
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
