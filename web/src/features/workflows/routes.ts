/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type BuilderView, builderView, type WorkflowsView, workflowsView } from "./view";

const workflows = createRoute({
  getParentRoute: () => root,
  path: "/workflows",
  validateSearch: (search): WorkflowsView => workflowsView(search),
  component: lazyRouteComponent(() => import("./WorkflowsPage"), "WorkflowsPage"),
});

const builder = createRoute({
  getParentRoute: () => root,
  path: "/workflows/$definitionId",
  validateSearch: (search): BuilderView => builderView(search),
  component: lazyRouteComponent(() => import("./BuilderPage"), "BuilderPage"),
});

export const workflowsRoutes = [workflows, builder] as const;
