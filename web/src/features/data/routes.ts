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

interface LinksView {
  namespace?: string;
  /** As type/id: what the drawing is around. */
  record?: string;
}

const links = createRoute({
  getParentRoute: () => root,
  path: "/data/links",
  validateSearch: (search): LinksView => {
    const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 1000) : undefined);
    const [namespace, record] = [text(search.namespace), text(search.record)];
    return { ...(namespace && { namespace }), ...(record && { record }) };
  },
  component: lazyRouteComponent(() => import("./LinksPage"), "LinksPage"),
});

export const dataRoutes = [data, links] as const;
