/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type HealthView, healthView } from "./view";

const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  validateSearch: (search): HealthView => healthView(search),
  component: lazyRouteComponent(() => import("./HealthPage"), "HealthPage"),
});

export const healthRoutes = [health] as const;
