/** The words of a language as one module: its files, and English for what they lack. */
import type { Plugin } from "vite";
import { areas, fileOf, filled } from "./src/i18n/catalogue";

const LANGUAGE = /[\\/]i18n[\\/]locales[\\/](\w+)\.ts$/;

export function words(): Plugin {
  return {
    name: "words",
    enforce: "pre",
    transform: {
      filter: { id: LANGUAGE },
      handler(_code, id) {
        const language = LANGUAGE.exec(id)?.[1];
        if (!language) return null;
        for (const each of new Set([language, "en"])) for (const area of areas(each)) this.addWatchFile(fileOf(each, area));
        // As a string it is read faster than as code.
        return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(filled(language)))});`, map: null };
      },
    },
  };
}
