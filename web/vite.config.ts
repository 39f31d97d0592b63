/** Builds the console into the Python package, and serves it with a proxy to a running server while developing. */
import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { ahead } from "./vite.ahead";
import { chunks } from "./vite.chunks";
import { mantineStyles } from "./vite.mantine";
import { words } from "./vite.words";

const server = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";

const FONTS = ["@fontsource-variable/ibm-plex-sans", "@fontsource-variable/newsreader", "@fontsource/ibm-plex-mono"];

/** Fonts travel with their licence, as it asks. */
const fontLicences: Plugin = {
  name: "font-licences",
  generateBundle() {
    const texts = FONTS.map((font) => `${font}\n\n${readFileSync(`node_modules/${font}/LICENSE`, "utf8")}`);
    this.emitFile({ type: "asset", fileName: "licences-fonts.txt", source: texts.join("\n\n") });
  },
};

export default defineConfig({
  plugins: [react(), words(), mantineStyles(), ahead(), fontLicences],
  build: {
    outDir: "../src/holdfast/console/dist",
    emptyOutDir: true,
    target: "es2022",
    // The server's content policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "licences.md" },
    rolldownOptions: {
      output: {
        codeSplitting: chunks,
      },
    },
  },
  server: { proxy: { "/v1": server, "/openapi.json": server } },
  // Time enough for a machine that has other things to do; nothing here waits for a clock.
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", testTimeout: 30_000 },
});
