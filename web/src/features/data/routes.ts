/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type DataPlace, dataPlace } from "./filter";

const data = createRoute({
  getParentRoute: () => root,
  path: "/data",
  validateSearch: (search): DataPlace => dataPlace(search),
  component: lazyRouteComponent(() => import("./DataPage"), "DataPage"),
});

export const dataRoutes = [data] as const;
