/**
 * Mantine's styles, by part: in the build each component brings its own along, into the chunk it is in, and nothing has to be
 * listed. Its own packages come with one file for all of them, six times what the first page needs. While developing, that one
 * file is loaded: there the packages are bundled before any plugin sees them.
 */
import type { Plugin } from "vite";

const NAME = "virtual:mantine-styles";
const CLASSES = /@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/;
/** What belongs to no component. */
const GROUND = ["baseline", "default-css-variables", "global"];

const layered = (part: string) => `import "@mantine/core/styles/${part}.layer.css";`;

export function mantineStyles(): Plugin {
  let building = false;
  return {
    name: "mantine-styles",
    configResolved(config) {
      building = config.command === "build";
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) => {
      if (id !== `\0${NAME}`) return null;
      return building ? GROUND.map(layered).join("\n") : `import "@mantine/core/styles.layer.css";`;
    },
    transform: {
      filter: { id: CLASSES },
      handler(code, id) {
        const part = CLASSES.exec(id)?.[1];
        return building && part ? { code: `${layered(part)}\n${code}`, map: null } : null;
      },
    },
  };
}
