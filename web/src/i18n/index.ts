/** Sets up the languages. Only the one that is spoken is loaded; English is the model that every other one is checked against. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { firstLanguage, type Language } from "./language";
import type { Words } from "./words";

const KEY = "holdfast.language";

const LOADERS: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import("./locales/en"),
  de: () => import("./locales/de"),
  pt: () => import("./locales/pt"),
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
  const language = firstLanguage(remembered(), navigator.languages);
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
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
