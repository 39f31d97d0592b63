/** Where the console begins. */
import "virtual:mantine-styles";
import "./theme/fonts.css";
import "./theme/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { fetchPage } from "./app/router";
import { startLanguages } from "./i18n";
import { session, takeTokenFromAddress } from "./session/store";

// Before anything else: no code that runs later, and no history entry, ever sees the token in the address.
takeTokenFromAddress();
window.addEventListener("hashchange", takeTokenFromAddress);
if (session.get().token) fetchPage();

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");
startLanguages().then(
  () =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  // There are no words yet to say it with.
  () => root.append("The console could not be loaded. Please reload the page."),
);
