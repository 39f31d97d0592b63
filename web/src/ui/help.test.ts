import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NAVIGATION } from "../app/navigation";
import { helpFor } from "./help";

test("every page that the menu lists has a page of the documentation, and that page is there", () => {
  const paths = NAVIGATION.flatMap(({ destinations }) => destinations.map(({ to }) => to));
  const told = paths.filter((path) => path !== "/").map((path) => [path, helpFor(path)] as const);
  expect(told.filter(([, page]) => page === "guide" || !existsSync(join(import.meta.dirname, "../../../docs", `${page}.md`)))).toEqual([]);
  expect([helpFor("/"), helpFor("/runs/0194"), helpFor("/nowhere")]).toEqual(["guide", "runs", "guide"]);
});
