/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type InstanceView, instanceView, type ProcessFilter, processFilter } from "./filter";

const processes = createRoute({
  getParentRoute: () => root,
  path: "/processes",
  validateSearch: (search): ProcessFilter => processFilter(search),
  component: lazyRouteComponent(() => import("./ProcessesPage"), "ProcessesPage"),
});

const process = createRoute({
  getParentRoute: () => root,
  path: "/processes/$instanceId",
  validateSearch: (search): InstanceView => instanceView(search),
  component: lazyRouteComponent(() => import("./InstancePage"), "InstancePage"),
});

export const processesRoutes = [processes, process] as const;
