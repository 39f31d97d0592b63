/** What workflows name and do not contain: approval chains, rules, triggers, secrets, and who reports to whom. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Rule = Schemas["Rule"];
export type Trigger = Schemas["Trigger"];
export type ChartedPerson = Schemas["ChartedPerson"];
export type UsedKind = "chain" | "rule" | "secret";

const CHAINS = ["parts", "chains"] as const;
const RULES = ["parts", "rules"] as const;
const TRIGGERS = ["parts", "triggers"] as const;
const SECRETS = ["parts", "secrets"] as const;
const CHART = ["parts", "chart"] as const;
const USES = ["parts", "uses"] as const;

export function useChains() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: CHAINS, queryFn: () => sent(api.GET("/v1/{tenant}/approval-chains", { params: { path: { tenant } } })), enabled: may("processes:read") });
}

export function useChain(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({ queryKey: [...CHAINS, name], queryFn: () => sent(api.GET("/v1/{tenant}/approval-chains/{name}", { params: { path: { tenant, name } } })), enabled: name !== "" });
}

export function useRules() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: RULES, queryFn: () => sent(api.GET("/v1/{tenant}/rules", { params: { path: { tenant } } })), enabled: may("processes:read") });
}

export function useTriggers() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: TRIGGERS, queryFn: () => sent(api.GET("/v1/{tenant}/triggers", { params: { path: { tenant } } })), enabled: may("processes:read") });
}

export function useSecrets() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: SECRETS, queryFn: () => sent(api.GET("/v1/{tenant}/secrets", { params: { path: { tenant } } })), enabled: may("secrets:read") });
}

export function useChart() {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: CHART,
    queryFn: ({ pageParam }) => sent(api.GET("/v1/{tenant}/org-chart", { params: { path: { tenant }, query: { limit: 200, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: may("users:read"),
  });
}

/** The steps that name it: what would break without it. */
export function useUses(kind: UsedKind, name: string) {
  const { tenant } = useSignedIn();
  return useQuery({ queryKey: [...USES, kind, name], queryFn: () => sent(api.GET("/v1/{tenant}/used-by", { params: { path: { tenant }, query: { kind, name } } })), enabled: name !== "" });
}

interface Named {
  name: string;
  body: JsonObject;
}

export const usePutChain = () =>
  useChange([CHAINS], (tenant, { name, body }: Named) => sent(api.PUT("/v1/{tenant}/approval-chains/{name}", { params: { path: { tenant, name } }, body: body as never })));

export const usePutRule = () => useChange([RULES], (tenant, { name, body }: Named) => sent(api.PUT("/v1/{tenant}/rules/{name}", { params: { path: { tenant, name } }, body: body as never })));

export const usePutSecret = () => useChange([SECRETS], (tenant, { name, body }: Named) => sent(api.PUT("/v1/{tenant}/secrets/{name}", { params: { path: { tenant, name } }, body: body as never })));

export const useDeletePart = () =>
  useChange([CHAINS, RULES, SECRETS, USES], async (tenant, { kind, name, anyway }: { kind: UsedKind; name: string; anyway: boolean }) => {
    const params = { path: { tenant, name }, query: { anyway } };
    await (kind === "chain" ? sent(api.DELETE("/v1/{tenant}/approval-chains/{name}", { params })) : kind === "rule" ? sent(api.DELETE("/v1/{tenant}/rules/{name}", { params })) : sent(api.DELETE("/v1/{tenant}/secrets/{name}", { params })));
  });

export const useCreateTrigger = () => useChange([TRIGGERS], (tenant, { name, body }: Named) => sent(api.POST("/v1/{tenant}/triggers", { params: { path: { tenant } }, body: { ...body, name } as never })));

/** What a trigger watches for; what the form leaves empty is taken away. */
export const useChangeTrigger = () =>
  useChange([TRIGGERS], (tenant, { name, body }: Named) => sent(api.PATCH("/v1/{tenant}/triggers/{name}", { params: { path: { tenant, name } }, body: { condition: null, ...body } as never })));

export const useEnableTrigger = () =>
  useChange([TRIGGERS], (tenant, { name, enabled }: { name: string; enabled: boolean }) => sent(api.POST("/v1/{tenant}/triggers/{name}/enable", { params: { path: { tenant, name }, query: { enabled } } })));

export const useDeleteTrigger = () => useChange([TRIGGERS], (tenant, name: string) => sent(api.DELETE("/v1/{tenant}/triggers/{name}", { params: { path: { tenant, name } } })));

export function useConsequences(name: string | null) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...TRIGGERS, name, "consequences"],
    queryFn: () => sent(api.GET("/v1/{tenant}/triggers/{name}/consequences", { params: { path: { tenant, name: name ?? "" } } })),
    enabled: name !== null,
  });
}

export const useSetManager = () =>
  useChange([CHART, keys.users], (tenant, { name, manager }: { name: string; manager: string | null }) =>
    sent(api.PUT("/v1/{tenant}/users/{name}/manager", { params: { path: { tenant, name } }, body: { manager } })),
  );
