/** Where the console begins. */
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme/fonts.css";
import "./theme/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { startLanguages } from "./i18n";
import { takeTokenFromAddress } from "./session/store";

// Before anything else: no code that runs later, and no history entry, ever sees the token in the address.
takeTokenFromAddress();
window.addEventListener("hashchange", takeTokenFromAddress);
startLanguages();

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
