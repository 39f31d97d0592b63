/** Wires theme, cache, session and router together. */
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense } from "react";
import { asProblem, worthRetrying } from "../api/problem";
import { INSTALLATION } from "../features/installation/routes";
import { session } from "../session/store";
import { theme, variables } from "../theme/theme";
import { Notices } from "../ui/Notices";
import { Gate } from "./Gate";
import { router } from "./router";

const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && worthRetrying(asProblem(error)),
      retryDelay: (failures) => 400 * 2 ** failures,
      // A browser that believes to be offline may still reach a server on this machine.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

// Nothing that one person was shown stays for the next one.
let token = session.get().token;
session.subscribe(() => {
  if (session.get().token === token) return;
  token = session.get().token;
  cache.clear();
});

const colorScheme = localStorageColorSchemeManager({ key: "holdfast.theme" });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={cache}>
        {window.location.pathname === INSTALLATION.path ? (
          <Suspense fallback={null}>
            <INSTALLATION.Page />
          </Suspense>
        ) : (
          <>
            <Notices />
            <Gate>
              <RouterProvider router={router} />
            </Gate>
          </>
        )}
      </QueryClientProvider>
    </MantineProvider>
  );
}
