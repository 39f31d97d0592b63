/**
 * What the console costs to load, gzipped, against what it may cost. It builds the console into a folder of its own, follows the
 * static imports in the manifest, prints a table and fails when something is over its budget. `npm run budget`
 *
 * The shell is everything that must be there before the first route is drawn: the entry, what it imports, and their styles.
 * Everything else is counted by what it adds to the shell; the words of a language have a budget of their own: those that any one
 * page needs, which is the first volume and the largest that comes with a page.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { build, runnerImport } from "vite";

/** In kB of 1,000 bytes. */
const BUDGET = { shell: 200, firstPage: 220, words: 25, canvas: 110, builder: 230, other: 300 };
/** The page that most people see first. */
const FIRST_PAGE = "src/features/inbox/InboxPage.tsx";
/** Loaded only where a workflow is looked at. */
const CANVAS = "src/canvas/Canvas.tsx";
/** Loaded only where one is changed. */
const BUILDER = "src/features/workflows/BuilderPage.tsx";

/** A volume of a language. */
const WORDS = /virtual:words\/(\w+)-(\w+)$/;

const outDir = "node_modules/.budget";

try {
  await build({ logLevel: "error", build: { outDir, emptyOutDir: true, manifest: true, license: false } });
  const manifest = JSON.parse(await readFile(join(outDir, ".vite/manifest.json"), "utf8"));
  const lines = await measured(manifest);
  print(lines);
  if (lines.some(({ size, limit }) => size > limit)) process.exitCode = 1;
} finally {
  await rm(outDir, { recursive: true, force: true });
}

async function measured(manifest) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const pages = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry);
  const words = pages.filter((key) => WORDS.test(key));
  const sizes = new Map();
  const weigh = async (files) => {
    for (const file of files) if (!sizes.has(file)) sizes.set(file, gzipSync(await readFile(join(outDir, file))).length / 1000);
    return [...files].reduce((sum, file) => sum + sizes.get(file), 0);
  };
  const code = filesOf(manifest, entry);
  const shell = await weigh(code);
  const rows = [{ name: "shell", size: shell, files: code.size, limit: BUDGET.shell }];
  rows.push(...(await spoken(words, (key) => weigh([manifest[key].file]))));
  for (const key of pages.filter((each) => !words.includes(each))) {
    const added = new Set([...filesOf(manifest, key)].filter((file) => !code.has(file)));
    const size = await weigh(added);
    const name = key.replace("src/", "");
    if (key === FIRST_PAGE) rows.push({ name: `shell and ${name}`, size: shell + size, files: code.size + added.size, limit: BUDGET.firstPage });
    rows.push({ name: `+ ${name}`, size, files: added.size, limit: limitOf(key) });
  }
  for (const expected of [FIRST_PAGE, CANVAS, BUILDER]) {
    if (!pages.includes(expected)) throw new Error(`${expected} is not in the build any more; scripts/budget.mjs names it`);
  }
  return [...rows.slice(0, 1), ...rows.slice(1).sort((a, b) => b.size - a.size)];
}

/** Of each language the page that needs most of it. */
async function spoken(words, weigh) {
  const { module: volumes } = await runnerImport("./src/i18n/volumes.ts", { configFile: false, logLevel: "error" });
  const languages = [...new Set(words.map((key) => WORDS.exec(key)[1]))];
  return Promise.all(
    languages.map(async (language) => {
      const of = new Map();
      for (const key of words.filter((each) => WORDS.exec(each)[1] === language)) of.set(WORDS.exec(key)[2], await weigh(key));
      const needs = Object.keys(volumes.PAGES).map((page) => ["first", ...volumes.volumesFor(`/${page}`)]);
      const most = needs.map((each) => [each.reduce((sum, volume) => sum + of.get(volume), 0), each]).sort(([a], [b]) => b - a)[0];
      return { name: `words ${language}: ${most[1].join(" and ")}`, size: most[0], files: most[1].length, limit: BUDGET.words };
    }),
  );
}

function limitOf(key) {
  if (key === BUILDER) return BUDGET.builder;
  return key.startsWith("src/canvas/") ? BUDGET.canvas : BUDGET.other;
}

/** A chunk, its styles, and all that it imports statically. */
function filesOf(manifest, key, found = new Set()) {
  const { file, css = [], imports = [] } = manifest[key];
  if (found.has(file)) return found;
  found.add(file);
  for (const style of css) found.add(style);
  for (const each of imports) filesOf(manifest, each, found);
  return found;
}

function print(lines) {
  const wide = Math.max(...lines.map(({ name }) => name.length));
  console.log(`${"gzipped".padEnd(wide)}  ${"kB".padStart(7)} ${"budget".padStart(7)}  files`);
  for (const { name, size, limit, files } of lines) {
    const over = size > limit ? "  over its budget" : "";
    console.log(`${name.padEnd(wide)}  ${size.toFixed(1).padStart(7)} ${String(limit).padStart(7)}  ${String(files).padStart(5)}${over}`);
  }
}
