/**
 * Tells `first-paint.js` what to fetch ahead: the first words of each language and the sign-in page. Which of them a browser needs is
 * known before our own code runs, so they come beside it rather than after it.
 */
import type { Plugin, Rolldown } from "vite";

export function ahead(): Plugin {
  return {
    name: "ahead",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const first = closure(chunks.find((chunk) => chunk.isEntry), bundle);
        const files = (module: RegExp) => {
          const own = closure(chunks.find((chunk) => module.test(chunk.facadeModuleId ?? "")), bundle);
          return [...own].filter((file) => !first.has(file)).map((file) => `/${file}`).join(" ");
        };
        const words = chunks.flatMap((chunk) => /virtual:words\/(\w+)-first$/.exec(chunk.facadeModuleId ?? "")?.[1] ?? []);
        const told = [
          ...words.map((language) => `data-words-${language}="${files(new RegExp(`virtual:words/${language}-first$`))}"`),
          `data-sign-in="${files(/session[\\/]SignInPage\.tsx$/)}"`,
        ];
        return html.replace('src="/first-paint.js"', `src="/first-paint.js" ${told.join(" ")}`);
      },
    },
  };
}

/** A chunk and everything it cannot run without. */
function closure(chunk: Rolldown.OutputChunk | undefined, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  if (!chunk || found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const file = bundle[name];
    if (file?.type === "chunk") closure(file, bundle, found);
  }
  return found;
}
