/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const schedules = createRoute({
  getParentRoute: () => root,
  path: "/schedules",
  validateSearch: (search): { schedule?: string } => ({
    ...(typeof search.schedule === "string" && { schedule: search.schedule }),
  }),
  component: lazyRouteComponent(() => import("./SchedulesPage"), "SchedulesPage"),
});

export const schedulesRoutes = [schedules] as const;
