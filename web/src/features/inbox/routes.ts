/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { inboxView, type InboxView } from "./filter";

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search): InboxView => inboxView(search),
  component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inbox] as const;
