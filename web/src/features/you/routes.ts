/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const you = createRoute({
  getParentRoute: () => root,
  path: "/you",
  component: lazyRouteComponent(() => import("./YouPage"), "YouPage"),
});

export const youRoutes = [you] as const;
