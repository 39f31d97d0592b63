/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type OperationView, operationView } from "./view";

const operation = createRoute({
  getParentRoute: () => root,
  path: "/operations/$operationId",
  validateSearch: (search): OperationView => operationView(search),
  component: lazyRouteComponent(() => import("./OperationPage"), "OperationPage"),
});

export const operationsRoutes = [operation] as const;
