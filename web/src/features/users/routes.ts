/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const users = createRoute({
  getParentRoute: () => root,
  path: "/users",
  validateSearch: (search): { user?: string } => ({ ...(typeof search.user === "string" && { user: search.user }) }),
  component: lazyRouteComponent(() => import("./UsersPage"), "UsersPage"),
});

export const usersRoutes = [users] as const;
