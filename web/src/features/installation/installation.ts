/** What the operator of the installation reads and does. The token is theirs alone: it is sent with each request and kept nowhere else. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, sent } from "../../api/client";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];
export type TenantQueue = Schemas["TenantQueue"];

const KEY = ["installation"] as const;
const PERIOD = 10_000;
const MOST = 200;

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

export function useInstallation(token: string) {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const [tenants, health, workers, definitions] = await Promise.all([
        sent(api.GET("/v1/installation/tenants", as(token))),
        sent(api.GET("/v1/installation/health", { ...as(token), params: { query: { limit: MOST } } })),
        sent(api.GET("/v1/installation/workers", as(token))),
        sent(api.GET("/v1/installation/session-definitions", as(token))),
      ]);
      const queues = new Map(health.items.map((each) => [each.tenant, each.queues]));
      return { tenants: tenants.map((tenant) => ({ ...tenant, queues: queues.get(tenant.slug) })), workers, definitions };
    },
    refetchInterval: PERIOD,
    retry: false,
  });
}

export function useAddTenant(token: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["NewTenant"]) => sent(api.POST("/v1/installation/tenants", { ...as(token), body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}

/** What of a tenant needs a look, each queue by itself. */
export function troubles(queues: readonly Pick<TenantQueue, "queue" | "dead" | "stuck">[]) {
  return queues.flatMap(({ queue, dead, stuck }) => [
    ...(dead > 0 ? [{ queue, what: "dead" as const, count: dead }] : []),
    ...(stuck > 0 ? [{ queue, what: "stuck" as const, count: stuck }] : []),
  ]);
}
