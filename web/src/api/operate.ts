/** What an operator reads and does: health, series, incidents, workers, dead letters, and operations over many things. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Queue, Span } from "../features/health/view";
import { effect, outboxEvent } from "../features/deliveries/letters";
import type { Letters } from "../features/deliveries/view";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type QueueHealth = Schemas["QueueHealth"];
export type Point = Schemas["Point"];
export type Incident = Schemas["Incident"];
export type Worker = Schemas["WorkerInfo"];
export type QueueType = Schemas["QueueType"];
export type OutboxEvent = Schemas["EventInfo"];
export type DeadLetter = Schemas["DeadLetter"];
export type BulkOperation = Schemas["Operation"];
export type BulkItem = Schemas["OperationItem"];
export type BulkKind = Schemas["NewOperation"]["kind"];
export type BulkFilter = Schemas["NewOperation"]["filter"];
export type NewRun = Schemas["NewRunRequest"];

const PERIOD = 10_000;
const AT_ONCE = 50;
const OPERATE = ["operate"] as const;
const TOUCHED = [OPERATE, keys.allRuns, keys.allProcesses, ["effects"]];

export function useHealth() {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "health"],
    queryFn: () => sent(api.GET("/v1/{tenant}/health", { params: { path: { tenant } } })) as Promise<{ at: string; queues: QueueHealth[] }>,
    refetchInterval: PERIOD,
  });
}

export function useSeries(queue: Queue | undefined, span: Span) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "series", queue, span],
    queryFn: () => sent(api.GET("/v1/{tenant}/health/series", { params: { path: { tenant }, query: { queue: queue ?? "runs", span } } })) as Promise<Schemas["Series"]>,
    refetchInterval: PERIOD,
    placeholderData: keepPreviousData,
    enabled: queue !== undefined,
  });
}

export function useIncidents(queue: Queue | undefined) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "incidents", queue],
    queryFn: () => sent(api.GET("/v1/{tenant}/health/incidents", { params: { path: { tenant }, query: { ...(queue && { queue }), hours: 24 } } })),
    refetchInterval: PERIOD,
  });
}

export function useWorkers() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "workers"],
    queryFn: () => sent(api.GET("/v1/{tenant}/workers", { params: { path: { tenant } } })),
    refetchInterval: PERIOD,
    enabled: may("runs:read"),
  });
}

export function useRunTypes() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "types"],
    queryFn: () => sent(api.GET("/v1/{tenant}/run-types", { params: { path: { tenant } } })),
    refetchInterval: PERIOD,
    enabled: may("runs:read"),
  });
}

/** What is published, to look at where its documents are. */
export function useFlows() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "flows"],
    queryFn: async () => {
      const all = await sent(api.GET("/v1/{tenant}/workflows", { params: { path: { tenant } } }));
      return all.flatMap(({ entity_type, title, published_id }) => (published_id ? [{ type: entity_type, title, definition: published_id }] : []));
    },
    enabled: may("processes:read"),
  });
}

export function useFlowFigures(entity_type: string | undefined) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "figures", entity_type],
    queryFn: () => sent(api.GET("/v1/{tenant}/workflows/{entity_type}/figures", { params: { path: { tenant, entity_type: entity_type ?? "" } } })) as Promise<Schemas["WorkflowFigures"]>,
    refetchInterval: PERIOD,
    enabled: entity_type !== undefined,
  });
}

export function useOutbox(view: Letters) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...OPERATE, "outbox", view.status, view.type, view.aggregate],
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/outbox", {
          params: { path: { tenant }, query: { status: view.status, prefix: view.type, aggregate: view.aggregate, limit: AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: PERIOD,
    enabled: may("outbox:read") && view.queue === "outbox",
  });
}

type EffectStatus = "pending" | "processing" | "completed" | "failed" | "dead_letter" | "cancelled";

export function useEffectList(view: Letters) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...OPERATE, "effects", view.status, view.type],
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/effects", {
          params: { path: { tenant }, query: { status: view.status as EffectStatus | undefined, kind: view.type, limit: AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: PERIOD,
    enabled: may("effects:read") && view.queue === "effects",
  });
}

export function useDeadEvents(view: Letters) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...OPERATE, "engine", view.type],
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/process-events/dead", {
          params: { path: { tenant }, query: { event_type: view.type, limit: AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: PERIOD,
    enabled: may("processes:read") && view.queue === "engine",
  });
}

/** One event or effect by its id, wherever in the list it is. */
export function useLetter(queue: Letters["queue"], id: string | undefined) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "letter", queue, id],
    queryFn: async () =>
      queue === "outbox"
        ? outboxEvent(await sent(api.GET("/v1/{tenant}/outbox/{event_id}", { params: { path: { tenant, event_id: id ?? "" } } })))
        : effect(await sent(api.GET("/v1/{tenant}/effects/{effect_id}", { params: { path: { tenant, effect_id: id ?? "" } } }))),
    enabled: id !== undefined && queue !== "engine",
    retry: false,
  });
}

export const useReplayLetter = () =>
  useChange(TOUCHED, async (tenant, { queue, id }: { queue: Letters["queue"]; id: string }): Promise<void> => {
    if (queue === "outbox") await sent(api.POST("/v1/{tenant}/outbox/{event_id}/replay", { params: { path: { tenant, event_id: id } } }));
    else if (queue === "effects") await sent(api.POST("/v1/{tenant}/effects/{effect_id}/replay", { params: { path: { tenant, effect_id: id } } }));
    else await sent(api.POST("/v1/{tenant}/process-events/{event_id}/replay", { params: { path: { tenant, event_id: id } } }));
  });

export const useSkipLetter = () =>
  useChange(TOUCHED, async (tenant, { queue, id, reason }: { queue: Letters["queue"]; id: string; reason: string }): Promise<void> => {
    if (queue === "outbox") await sent(api.POST("/v1/{tenant}/outbox/{event_id}/skip", { params: { path: { tenant, event_id: id } }, body: { reason } }));
    else if (queue === "effects") await sent(api.POST("/v1/{tenant}/effects/{effect_id}/skip", { params: { path: { tenant, effect_id: id } }, body: { reason } }));
    else await sent(api.POST("/v1/{tenant}/process-events/{event_id}/skip", { params: { path: { tenant, event_id: id } }, body: { reason } }));
  });

/** How many things an operation would be about now. */
export function useMatching(kind: BulkKind, filter: BulkFilter, wanted: boolean) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "count", kind, filter],
    queryFn: () => sent(api.POST("/v1/{tenant}/operations/count", { params: { path: { tenant } }, body: { kind, filter } })),
    enabled: wanted,
    staleTime: 0,
    gcTime: 0,
  });
}

export const useStartOperation = () =>
  useChange(TOUCHED, (tenant, body: { kind: BulkKind; filter: BulkFilter; reason: string | null }) =>
    sent(api.POST("/v1/{tenant}/operations", { params: { path: { tenant } }, body })),
  );

export const useCancelOperation = () =>
  useChange(TOUCHED, (tenant, id: string) =>
    sent(api.POST("/v1/{tenant}/operations/{operation_id}/cancel", { params: { path: { tenant, operation_id: id } } })),
  );

const under_way = (status: string | undefined) => status === undefined || status === "pending" || status === "running";

export function useOperation(operation_id: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "operation", operation_id],
    queryFn: () => sent(api.GET("/v1/{tenant}/operations/{operation_id}", { params: { path: { tenant, operation_id } } })),
    refetchInterval: ({ state }) => (under_way(state.data?.status) ? 1_000 : false),
  });
}

export function useOperations() {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...OPERATE, "operations"],
    queryFn: () => sent(api.GET("/v1/{tenant}/operations", { params: { path: { tenant }, query: { limit: 10 } } })),
    refetchInterval: PERIOD,
  });
}

/** What became of each thing; asked again with every step that the operation makes. */
export function useOperationItems(operation_id: string, outcome: Schemas["OperationItem"]["outcome"] | undefined, done: number) {
  const { tenant } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...OPERATE, "items", operation_id, outcome, done],
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/operations/{operation_id}/items", {
          params: { path: { tenant, operation_id }, query: { ...(outcome && { outcome }), limit: AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
}

export const useDeleteRun = () =>
  useChange(TOUCHED, (tenant, { run_id, reason }: { run_id: string; reason: string }) =>
    sent(api.DELETE("/v1/{tenant}/runs/{run_id}", { params: { path: { tenant, run_id }, query: { reason } } })),
  );

export const useEnqueue = () =>
  useChange(TOUCHED, (tenant, body: NewRun) => sent(api.POST("/v1/{tenant}/runs", { params: { path: { tenant } }, body })));

export const usePausePrefix = () =>
  useChange(TOUCHED, (tenant, prefix: string) => sent(api.POST("/v1/{tenant}/runs/pauses", { params: { path: { tenant } }, body: { prefix } })));
