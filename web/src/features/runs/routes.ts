/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type RunFilter, runFilter } from "./filter";

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: (search): RunFilter => runFilter(search),
  component: lazyRouteComponent(() => import("./RunsPage"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

export const runsRoutes = [runs, run] as const;
