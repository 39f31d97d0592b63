/**
 * The parts of the console in all their states, for whoever works on them: `npm run dev`, then /gallery/. It is no page of the
 * product and not in its build.
 */
import "virtual:mantine-styles";
import "../src/theme/fonts.css";
import "../src/theme/tokens.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startLanguages, wordsFor } from "../src/i18n";
import { theme, variables } from "../src/theme/theme";
import { Gallery } from "./Gallery";
import { LargeCanvas } from "./LargeCanvas";

await startLanguages();
await wordsFor(window.location.pathname);
const size = Number(new URLSearchParams(window.location.search).get("nodes"));
const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={localStorageColorSchemeManager({ key: "holdfast.theme" })}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={new QueryClient()}>{size > 0 ? <LargeCanvas size={size} /> : <Gallery />}</QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
