/** Draws a component as the console would: theme, words, cache. For tests only. */
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import i18next from "i18next";
import type { ReactNode } from "react";
import { afterEach, beforeAll } from "vitest";
import { startLanguages } from "../i18n";
import { theme } from "../theme/theme";

beforeAll(async () => {
  if (!i18next.isInitialized) await startLanguages();
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
