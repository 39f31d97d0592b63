/** What the console's source says of words, for the checks: which messages it asks for, and where it puts pieces together. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDER = join(import.meta.dirname, "..");

export interface SourceFile {
  path: string;
  code: string;
}

/** Every file of the console but tests and the catalogue itself, without comments. */
export function sourceFiles(folder = FOLDER): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === join(FOLDER, "testing") ? [] : sourceFiles(path);
    if (!/(?<!\.test|\.d)\.tsx?$/.test(entry.name)) return [];
    return [{ path: relative(FOLDER, path), code: readFileSync(path, "utf8").replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, "") }];
  });
}

/** Keys that stand in the source whole, and the beginnings of those that are put together while running: `area.state_${state}`. */
export function asked(files: readonly SourceFile[]): { whole: ReadonlySet<string>; beginnings: readonly string[] } {
  const code = files.map((each) => each.code).join("\n");
  const whole = new Set([...code.matchAll(/["'`]([a-z_]+\.[\w:]+)["'`]/g)].map(([, key = ""]) => key));
  const beginnings = new Set([...code.matchAll(/`([a-z_]+\.\w*)\$\{/g)].map(([, key = ""]) => key));
  return { whole, beginnings: [...beginnings] };
}

/** A message that is asked for: `t("…", { … })`. */
const CALL = String.raw`\bt\((?:[^()\n]|\([^()\n]*\))*\)`;
const SUM = new RegExp(String.raw`${CALL}\s*\+(?!\+)|(?<!\+)\+\s*${CALL}`);
const SIDE_BY_SIDE = new RegExp(String.raw`\{${CALL}\}\s*\{${CALL}\}`);
/** A colon is part of what is said: French puts a space before it. */
const COLON = new RegExp(String.raw`(?<!\$)\{${CALL}\}:`);
const IN_ONE_TEXT = new RegExp(String.raw`\$\{${CALL}\}([^\`$]*)\$\{${CALL}\}`);

/**
 * Where messages are glued into a sentence: another language may need another order. Only as in a list may they stand together,
 * with a sign between them that ends what was said.
 */
export function glued(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, code }) =>
    code.split("\n").flatMap((line, at) => {
      const between = IN_ONE_TEXT.exec(line)?.[1];
      const apart = between === undefined || /[·,.:]/.test(between);
      return SUM.test(line) || SIDE_BY_SIDE.test(line) || COLON.test(line) || !apart ? [`${path}:${at + 1}: ${line.trim()}`] : [];
    }),
  );
}
