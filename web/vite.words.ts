/**
 * The words of each language as modules, one a volume: what its files say, and English for what they lack. `virtual:words` knows the
 * first of each language, and that one knows the others, so that nobody loads the addresses of forty files.
 */
import type { Plugin } from "vite";
import { areas, fileOf, filled, languages } from "./src/i18n/catalogue";
import { LATER, volumeOf } from "./src/i18n/volumes";

const NAME = "virtual:words";
const ONE = /^virtual:words\/(\w+)-(\w+)$/;

export function words(): Plugin {
  return {
    name: "words",
    resolveId: (id) => (id === NAME || ONE.test(id) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${NAME}`) return `export default { ${languages().map((language) => loader(language, language, "first")).join(", ")} };`;
      const [, language, volume] = ONE.exec(id.slice(1)) ?? [];
      if (!language || !volume) return null;
      for (const each of new Set([language, "en"])) for (const area of areas(each)) this.addWatchFile(fileOf(each, area));
      const own = Object.entries(filled(language)).filter(([area]) => volumeOf(area) === volume);
      // As a string it is read faster than as code.
      const code = `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(own)))});`;
      const others = volume === "first" ? `export const later = { ${LATER.map((each) => loader(each, language, each)).join(", ")} };` : "";
      return code + others;
    },
  };
}

function loader(key: string, language: string, volume: string): string {
  return `${key}: () => import("${NAME}/${language}-${volume}")`;
}
