/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type DeliveriesView, deliveriesView } from "./view";

const deliveries = createRoute({
  getParentRoute: () => root,
  path: "/deliveries",
  validateSearch: (search): DeliveriesView => deliveriesView(search),
  component: lazyRouteComponent(() => import("./DeliveriesPage"), "DeliveriesPage"),
});

export const deliveriesRoutes = [deliveries] as const;
