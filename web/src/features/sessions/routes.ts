/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type SessionFilter, sessionFilter, type SessionView, sessionView } from "./filter";

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/sessions",
  validateSearch: (search): SessionFilter => sessionFilter(search),
  component: lazyRouteComponent(() => import("./SessionsPage"), "SessionsPage"),
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/sessions/new",
  validateSearch: (search): SessionFilter => sessionFilter({ workflow: search.workflow }),
  component: lazyRouteComponent(() => import("./NewSessionPage"), "NewSessionPage"),
});

const session = createRoute({
  getParentRoute: () => root,
  path: "/sessions/$sessionName",
  validateSearch: (search): SessionView => sessionView(search),
  component: lazyRouteComponent(() => import("./SessionPage"), "SessionPage"),
});

export const sessionsRoutes = [sessions, start, session] as const;
