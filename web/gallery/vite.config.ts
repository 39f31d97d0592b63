/** Builds the gallery alone, for measuring: the product's own build knows nothing of it. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunks } from "../vite.chunks";
import { mantineStyles } from "../vite.mantine";
import { words } from "../vite.words";

export default defineConfig({
  root: import.meta.dirname,
  publicDir: "../public",
  base: "./",
  plugins: [react(), words(), mantineStyles()],
  build: { target: "es2022", emptyOutDir: true, assetsInlineLimit: 0, rolldownOptions: { output: { codeSplitting: chunks } } },
});
