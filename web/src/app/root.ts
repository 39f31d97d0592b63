/** What every page is drawn in; each part of the product hangs its addresses under it, in the `routes.ts` of its folder. */
import { createRootRoute } from "@tanstack/react-router";
import { wordsFor } from "../i18n";
import { PageFailed, PageMissing } from "./Fallbacks";
import { Shell } from "./Shell";

export const root = createRootRoute({
  beforeLoad: ({ location }) => wordsFor(location.pathname),
  component: Shell,
  notFoundComponent: PageMissing,
  errorComponent: PageFailed,
});
