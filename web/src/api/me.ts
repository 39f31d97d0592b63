/** Who is signed in, and where: what the frame of every page asks. */
import { useQuery } from "@tanstack/react-query";
import type { JsonNumber } from "../json/exact";
import { useSignedIn } from "../session/SignedIn";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { components } from "./schema";

/** Answers `me` for a given token, or for the session's own. */
export function readMe(token?: string) {
  return sent(api.GET("/v1/me", token ? { headers: { Authorization: `Bearer ${token}` } } : {}));
}

export function useTenant() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.tenant,
    queryFn: () => sent(api.GET("/v1/{tenant}", { params: { path: { tenant } } })),
    enabled: may("tenant:read"),
  });
}

export type Limit = Omit<components["schemas"]["Limit"], "value"> & { value: JsonNumber | null };

export function useLimits() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...keys.tenant, "limits"],
    queryFn: () => sent(api.GET("/v1/{tenant}/limits", { params: { path: { tenant } } })) as Promise<Limit[]>,
    enabled: may("tenant:read"),
    staleTime: Infinity,
  });
}
