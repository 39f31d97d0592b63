/** Draws a component as the console would: theme, words, cache. For tests only. */
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider, useLocation } from "@tanstack/react-router";
import { act, cleanup, configure, render } from "@testing-library/react";
import i18next from "i18next";
import type { ReactNode } from "react";
import { afterEach, beforeAll } from "vitest";
import { startLanguages, wordsFor } from "../i18n";
import { signedIn, SignedInProvider } from "../session/SignedIn";
import { theme } from "../theme/theme";

configure({ asyncUtilTimeout: 10_000 });

beforeAll(async () => {
  if (i18next.isInitialized) return;
  await startLanguages();
  // No page of the console, so all there are.
  await wordsFor("/test");
});
afterEach(cleanup);

// What a growing text area asks of the browser, and the one of the tests has not.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

export function draw(what: ReactNode) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const framed = (children: ReactNode) => (
    // Without transitions: nothing then has to be waited for.
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </MantineProvider>
  );
  const { rerender, ...rest } = render(framed(what));
  return { ...rest, redraw: (next: ReactNode) => rerender(framed(next)) };
}

/** For somebody who is signed in and may do just this. */
export function asAna(what: ReactNode, permissions: readonly string[] = []) {
  const me = { tenant: "northwind", kind: "user" as const, name: "ana", roles: ["clerk"], permissions: [...permissions] };
  return <SignedInProvider value={signedIn(me)}>{what}</SignedInProvider>;
}

/** Draws at an address, with every other address there to go to: each has its path for a heading. */
export async function drawAt(path: string, what: ReactNode, permissions?: readonly string[]) {
  const root = createRootRoute({ component: () => what });
  const page = createRoute({ getParentRoute: () => root, path: "/$", component: Somewhere });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory({ initialEntries: [path] }) });
  // Another router than the console's own, for which the types are made.
  const provided = <RouterProvider router={router as never} />;
  const drawn = draw(asAna(provided, permissions));
  await act(() => router.load());
  return { ...drawn, path: () => router.state.location.pathname };
}

function Somewhere() {
  return <h1>{useLocation().pathname}</h1>;
}
