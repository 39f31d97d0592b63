/** Every page of the console. A part of the product tells its addresses in its own `routes.ts`; pages are loaded when they are first visited. */
import { createRouter } from "@tanstack/react-router";
import { auditRoutes } from "../features/audit/routes";
import { deliveriesRoutes } from "../features/deliveries/routes";
import { dataRoutes } from "../features/data/routes";
import { documentsRoutes } from "../features/documents/routes";
import { healthRoutes } from "../features/health/routes";
import { homeRoutes } from "../features/home/routes";
import { inboxRoutes } from "../features/inbox/routes";
import { operationsRoutes } from "../features/operations/routes";
import { partsRoutes } from "../features/parts/routes";
import { processesRoutes } from "../features/processes/routes";
import { rolesRoutes } from "../features/roles/routes";
import { runsRoutes } from "../features/runs/routes";
import { schedulesRoutes } from "../features/schedules/routes";
import { sessionsRoutes } from "../features/sessions/routes";
import { settingsRoutes } from "../features/settings/routes";
import { tokensRoutes } from "../features/tokens/routes";
import { usersRoutes } from "../features/users/routes";
import { workflowsRoutes } from "../features/workflows/routes";
import { youRoutes } from "../features/you/routes";
import { wordsFor } from "../i18n";
import { parseSearch, stringifySearch } from "../json/search";
import { PageFailed } from "./Fallbacks";
import { root } from "./root";

export const router = createRouter({
  routeTree: root.addChildren([
    ...homeRoutes,
    ...inboxRoutes,
    ...documentsRoutes,
    ...processesRoutes,
    ...sessionsRoutes,
    ...youRoutes,
    ...workflowsRoutes,
    ...healthRoutes,
    ...partsRoutes,
    ...runsRoutes,
    ...deliveriesRoutes,
    ...operationsRoutes,
    ...schedulesRoutes,
    ...dataRoutes,
    ...usersRoutes,
    ...rolesRoutes,
    ...tokensRoutes,
    ...auditRoutes,
    ...settingsRoutes,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

/** Fetches the page that the address names and its words, without drawing it yet; it need not wait until the server has said who this is. */
export function fetchPage(): void {
  // Drawing it asks again, and then says what is wrong.
  wordsFor(window.location.pathname).catch(() => undefined);
  const [routes] = router.getMatchedRoutes(window.location.pathname);
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
