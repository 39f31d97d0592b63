/** How the console changes something: every change refreshes what it may have touched, the trail included. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useSignedIn } from "../session/SignedIn";
import { keys } from "./keys";

type Key = readonly unknown[];

export function useChange<Wanted, Answer>(touched: readonly Key[], change: (tenant: string, wanted: Wanted) => Promise<Answer>) {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (wanted: Wanted) => change(tenant, wanted),
    // Also after a failure: what is on the screen was then not what is so.
    onSettled: () => refresh(cache, [...touched, keys.allEvents]),
  });
}

export function refresh(cache: QueryClient, touched: readonly Key[]): void {
  for (const queryKey of touched) void cache.invalidateQueries({ queryKey });
}
