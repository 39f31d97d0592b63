/** Sets up the languages. All three are bundled: together they are smaller than one font. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { firstLanguage, type Language } from "./language";
import de from "./locales/de.json";
import en from "./locales/en.json";
import pt from "./locales/pt.json";

const KEY = "holdfast.language";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
    nsSeparator: false;
    returnNull: false;
  }
}

export function startLanguages(): void {
  void i18next.use(initReactI18next).init({
    lng: firstLanguage(remembered(), navigator.languages),
    fallbackLng: "en",
    resources: { en: { translation: en }, de: { translation: de }, pt: { translation: pt } },
    // Permissions are keys too, and they are written with a colon.
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { transKeepBasicHtmlNodesFor: [] },
  });
  announce(i18next.language);
  i18next.on("languageChanged", announce);
}

export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is switched off: the choice then lasts as long as the page.
  }
  void i18next.changeLanguage(language);
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
