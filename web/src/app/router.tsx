/** Every page of the console and its address. Pages are loaded when they are first visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { type EventFilter, eventFilter } from "../features/audit/filter";
import { type DocumentFilter, documentFilter, type DocumentView, documentView } from "../features/documents/filter";
import { inboxView, type InboxView } from "../features/inbox/filter";
import { type InstanceView, instanceView, type ProcessFilter, processFilter } from "../features/processes/filter";
import { type RunFilter, runFilter } from "../features/runs/filter";
import { parseSearch, stringifySearch } from "../json/search";
import { PageFailed, PageMissing } from "./Fallbacks";
import { Shell } from "./Shell";

const root = createRootRoute({ component: Shell, notFoundComponent: PageMissing, errorComponent: PageFailed });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("../features/home/HomePage"), "HomePage"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search): InboxView => inboxView(search),
  component: lazyRouteComponent(() => import("../features/inbox/InboxPage"), "InboxPage"),
});

const documents = createRoute({
  getParentRoute: () => root,
  path: "/documents",
  validateSearch: (search): DocumentFilter => documentFilter(search),
  component: lazyRouteComponent(() => import("../features/documents/DocumentsPage"), "DocumentsPage"),
});

const newDocument = createRoute({
  getParentRoute: () => root,
  path: "/documents/new",
  validateSearch: (search): { type?: string } => ({ ...(typeof search.type === "string" && { type: search.type }) }),
  component: lazyRouteComponent(() => import("../features/documents/NewDocumentPage"), "NewDocumentPage"),
});

const document = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId",
  validateSearch: (search): DocumentView => documentView(search),
  component: lazyRouteComponent(() => import("../features/documents/DocumentPage"), "DocumentPage"),
});

const story = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId/story",
  component: lazyRouteComponent(() => import("../features/documents/StoryPage"), "StoryPage"),
});

const processes = createRoute({
  getParentRoute: () => root,
  path: "/processes",
  validateSearch: (search): ProcessFilter => processFilter(search),
  component: lazyRouteComponent(() => import("../features/processes/ProcessesPage"), "ProcessesPage"),
});

const process = createRoute({
  getParentRoute: () => root,
  path: "/processes/$instanceId",
  validateSearch: (search): InstanceView => instanceView(search),
  component: lazyRouteComponent(() => import("../features/processes/InstancePage"), "InstancePage"),
});

const you = createRoute({
  getParentRoute: () => root,
  path: "/you",
  component: lazyRouteComponent(() => import("../features/you/YouPage"), "YouPage"),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: (search): RunFilter => runFilter(search),
  component: lazyRouteComponent(() => import("../features/runs/RunsPage"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("../features/runs/RunPage"), "RunPage"),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: "/schedules",
  validateSearch: (search): { schedule?: string } => ({
    ...(typeof search.schedule === "string" && { schedule: search.schedule }),
  }),
  component: lazyRouteComponent(() => import("../features/schedules/SchedulesPage"), "SchedulesPage"),
});

const users = createRoute({
  getParentRoute: () => root,
  path: "/users",
  validateSearch: (search): { user?: string } => ({ ...(typeof search.user === "string" && { user: search.user }) }),
  component: lazyRouteComponent(() => import("../features/users/UsersPage"), "UsersPage"),
});

const roles = createRoute({
  getParentRoute: () => root,
  path: "/roles",
  validateSearch: (search): { role?: string } => ({ ...(typeof search.role === "string" && { role: search.role }) }),
  component: lazyRouteComponent(() => import("../features/roles/RolesPage"), "RolesPage"),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: "/tokens",
  validateSearch: (search): { user?: string } => ({ ...(typeof search.user === "string" && { user: search.user }) }),
  component: lazyRouteComponent(() => import("../features/tokens/TokensPage"), "TokensPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: (search): EventFilter => eventFilter(search),
  component: lazyRouteComponent(() => import("../features/audit/AuditPage"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("../features/settings/SettingsPage"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox,
    documents,
    newDocument,
    document,
    story,
    processes,
    process,
    you,
    runs,
    run,
    schedules,
    users,
    roles,
    tokens,
    audit,
    settings,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

/** Fetches the page that the address names, without drawing it yet; it need not wait until the server has said who this is. */
export function fetchPage(): void {
  const [routes] = router.getMatchedRoutes(window.location.pathname);
  for (const route of routes) {
    // Drawing it asks again, and then says what is wrong.
    router.loadRouteChunk(route)?.catch(() => undefined);
  }
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
