/** Sets up the languages. Only the one that is spoken is loaded; English is the model that every other one is checked against. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { setFormats } from "./formats";
import { firstLanguage, type Language, PSEUDO } from "./language";
import type { Words } from "./words";

const KEY = "holdfast.language";
/** `?locale=fr` in the address: for this tab, and over what was chosen. */
const ASKED = "holdfast.locale";

const LOADERS: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import("./locales/en"),
  de: () => import("./locales/de"),
  es: () => import("./locales/es"),
  fr: () => import("./locales/fr"),
  it: () => import("./locales/it"),
  nl: () => import("./locales/nl"),
  pl: () => import("./locales/pl"),
  pt: () => import("./locales/pt"),
  [PSEUDO]: async () => {
    const [{ pseudo }, english] = await Promise.all([import("./pseudo"), import("./locales/en")]);
    return { default: pseudo(english.default) };
  },
};

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
  const { default: words } = await LOADERS[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: words } },
    // Permissions are keys too, and they are written with a colon.
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { transKeepBasicHtmlNodesFor: [] },
  });
  announce(i18next.language);
  i18next.on("languageChanged", announce);
}

/** The page keeps its words until the others are there, so that nobody ever sees none. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
    sessionStorage.removeItem(ASKED);
  } catch {
    // Storage is switched off: the choice then lasts as long as the page.
  }
  if (!i18next.hasResourceBundle(language, "translation")) {
    const { default: words } = await LOADERS[language]();
    i18next.addResourceBundle(language, "translation", words);
  }
  await i18next.changeLanguage(language);
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
