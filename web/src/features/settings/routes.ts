/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("./SettingsPage"), "SettingsPage"),
});

export const settingsRoutes = [settings] as const;
