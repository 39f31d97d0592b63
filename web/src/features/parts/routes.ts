/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type PartsView, partsView } from "./view";

const parts = createRoute({
  getParentRoute: () => root,
  path: "/parts",
  validateSearch: (search): PartsView => partsView(search),
  component: lazyRouteComponent(() => import("./PartsPage"), "PartsPage"),
});

const automations = createRoute({
  getParentRoute: () => root,
  path: "/automations",
  component: lazyRouteComponent(() => import("../automations/AutomationsPage"), "AutomationsPage"),
});

export const partsRoutes = [parts, automations] as const;
