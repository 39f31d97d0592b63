/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type EventFilter, eventFilter } from "./filter";

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: (search): EventFilter => eventFilter(search),
  component: lazyRouteComponent(() => import("./AuditPage"), "AuditPage"),
});

export const auditRoutes = [audit] as const;
