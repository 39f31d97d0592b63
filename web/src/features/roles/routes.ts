/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const roles = createRoute({
  getParentRoute: () => root,
  path: "/roles",
  validateSearch: (search): { role?: string } => ({ ...(typeof search.role === "string" && { role: search.role }) }),
  component: lazyRouteComponent(() => import("./RolesPage"), "RolesPage"),
});

export const rolesRoutes = [roles] as const;
