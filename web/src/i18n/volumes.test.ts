// @vitest-environment happy-dom
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import i18next from "i18next";
import { beforeEach, expect, test, vi } from "vitest";
import { areas, base, names, read } from "./catalogue";
import { LATER, PAGES, volumeOf, volumesFor } from "./volumes";

const SOURCE = join(import.meta.dirname, "..");
const keys = names(read("en"));

test("a page that is not listed gets everything, an area that is not listed comes first", () => {
  expect(volumesFor("/inbox")).toEqual([]);
  expect(volumesFor("/runs/42")).toEqual(["operate"]);
  expect(volumesFor("/toString")).toEqual(LATER);
  expect(volumeOf("sign_in")).toBe("first");
  expect(volumeOf("brand_new")).toBe("first");
});

test("what is drawn around and before the pages speaks with the first volume alone", () => {
  expect(beyond(join(SOURCE, "main.tsx"), [])).toEqual([]);
});

const pages = readdirSync(join(SOURCE, "features")).flatMap((feature) => {
  const routes = join(SOURCE, "features", feature, "routes.ts");
  if (!existsSync(routes)) return [];
  return [...readFileSync(routes, "utf8").matchAll(/path: "([^"]+)"[^;]*?import\("([^"]+)"\)/g)].map(([, path = "", file = ""]) => ({ path, file: resolved(routes, file) ?? file }));
});

test("every page that is listed is there", () => {
  const there = new Set(pages.map(({ path }) => path.split("/")[1]));
  expect(Object.keys(PAGES).filter((page) => !there.has(page))).toEqual([]);
});

test.each(pages)("$path says nothing that is not loaded with it", ({ path, file }) => {
  expect(beyond(file, volumesFor(path))).toEqual([]);
});

/** Whose words a page could say without having them: "area.key in file". */
function beyond(file: string, volumes: readonly string[]): string[] {
  return [...reached(file)].flatMap((each) => {
    const code = readFileSync(each, "utf8").replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
    const said = [...code.matchAll(/["`]([a-z_]+)\.(\w*)(["`]|\$\{)/g)].filter(([, area = "", key = "", end]) => {
      // Operations are named like words; they are what is done, not what is said.
      if (!areas("en").includes(area) || /kind|KINDS/.test(lineOf(code, `${area}.${key}`))) return false;
      return keys.some((known) => (end === "${" ? known.startsWith(`${area}.${key}`) : known === base(`${area}.${key}`)));
    });
    const later = said.filter(([, area = ""]) => volumeOf(area) !== "first" && !volumes.includes(volumeOf(area)));
    return later.map(([, area, key]) => `${area}.${key} in ${relative(SOURCE, each)}`);
  });
}

/** A module and all that it brings along, at once or later; pages stand for themselves. */
function reached(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || /\/(routes|i18n\/\w+)\.ts$/.test(file)) return found;
  found.add(file);
  const imported = /(?:^|\n)\s*(?:import|export) (?!type )[^;"]*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g;
  for (const [, now, later] of readFileSync(file, "utf8").matchAll(imported)) {
    const next = resolved(file, now ?? later ?? "");
    if (next && /\.tsx?$/.test(next)) reached(next, found);
  }
  return found;
}

function resolved(from: string, name: string): string | undefined {
  const path = join(dirname(from), name);
  return [path, `${path}.ts`, `${path}.tsx`, join(path, "index.ts")].find((each) => existsSync(each) && statSync(each).isFile());
}

function lineOf(code: string, text: string): string {
  return code.split("\n").find((line) => line.includes(text)) ?? "";
}

beforeEach(() => {
  vi.resetModules();
  localStorage.setItem("holdfast.language", "de");
});

test("a page's words are there when it may be drawn, in the language spoken then, and come along to another one", async () => {
  const { startLanguages, wordsFor, chooseLanguage } = await import(".");
  const has = (language: string, area: string) => i18next.getResource(language, "translation", area) !== undefined;
  await startLanguages();
  expect([has("de", "inbox"), has("de", "runs")]).toEqual([true, false]);
  await wordsFor("/runs");
  expect([has("de", "runs"), has("de", "builder")]).toEqual([true, false]);
  expect(i18next.t("runs.payload")).not.toBe("runs.payload");
  // Somebody changes the language and goes on before it is there.
  await Promise.all([chooseLanguage("pl"), wordsFor("/workflows")]);
  expect(i18next.language).toBe("pl");
  expect([has("pl", "inbox"), has("pl", "runs"), has("pl", "builder"), has("pl", "roles")]).toEqual([true, true, true, false]);
});
