/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const tokens = createRoute({
  getParentRoute: () => root,
  path: "/tokens",
  validateSearch: (search): { user?: string } => ({ ...(typeof search.user === "string" && { user: search.user }) }),
  component: lazyRouteComponent(() => import("./TokensPage"), "TokensPage"),
});

export const tokensRoutes = [tokens] as const;
