/** Processes: where they stand, how they came there, and what may be done about them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { compiledOf } from "../canvas/compiled";
import type { ProcessFilter } from "../features/processes/filter";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, ifSeen, sent } from "./client";
import { keys } from "./keys";
import type { ProcessStep } from "./types";

const AT_ONCE = 50;
const TOUCHED = [keys.allProcesses, keys.allDocuments, keys.allPeople];

export function useProcesses(filter: ProcessFilter & { document?: string }, every: number | false) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.processes(filter),
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/processes", {
          params: {
            path: { tenant },
            query: {
              workflow_id: filter.workflow,
              status: filter.status,
              document_id: filter.document,
              limit: AT_ONCE,
              cursor: pageParam,
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: every,
    enabled: may("processes:read"),
  });
}

export function useProcess(id: string, every: number | false) {
  const { tenant, may } = useSignedIn();
  const instance_id = id;
  return useQuery({
    queryKey: keys.process(id),
    queryFn: () => sent(api.GET("/v1/{tenant}/processes/{instance_id}", { params: { path: { tenant, instance_id } } })),
    refetchInterval: every,
    enabled: may("processes:read") && id !== "",
  });
}

/** Everything that is known of how a process came where it is: its steps, what it waits for, why, and what is allowed. */
export function useStory(id: string, every: number | false) {
  const { tenant, may } = useSignedIn();
  const params = { path: { tenant, instance_id: id } };
  return useQuery({
    queryKey: [...keys.process(id), "story"],
    queryFn: async () => {
      const steps: ProcessStep[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: ProcessStep[]; next_cursor: string | null } = await sent(
          api.GET("/v1/{tenant}/processes/{instance_id}/steps", { params: { ...params, query: { limit: 200, cursor } } }),
        );
        steps.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null);
      const [waits, options, reasons] = await Promise.all([
        sent(api.GET("/v1/{tenant}/processes/{instance_id}/waits", { params })),
        sent(api.GET("/v1/{tenant}/processes/{instance_id}/options", { params })),
        sent(api.GET("/v1/{tenant}/processes/{instance_id}/reasons", { params })),
      ]);
      return { steps, waits, options, reasons };
    },
    refetchInterval: every,
    enabled: may("processes:read") && id !== "",
  });
}

/** Why each step went as it did, in the server's words; the place where a structured trace goes when the server sends one. */
export function useReasons(id: string | undefined) {
  const { tenant, may } = useSignedIn();
  const instance_id = id ?? "";
  return useQuery({
    queryKey: [...keys.process(instance_id), "reasons"],
    queryFn: () =>
      sent(api.GET("/v1/{tenant}/processes/{instance_id}/reasons", { params: { path: { tenant, instance_id } } })),
    enabled: may("processes:read") && instance_id !== "",
  });
}

/** A compiled workflow never changes. */
export function useCompiled(definition: string | undefined) {
  const { tenant, may } = useSignedIn();
  const definition_id = definition ?? "";
  return useQuery({
    queryKey: keys.compiled(definition_id),
    queryFn: async () =>
      compiledOf(
        await sent(api.GET("/v1/{tenant}/definitions/{definition_id}/compiled", { params: { path: { tenant, definition_id } } })),
      ),
    staleTime: Infinity,
    enabled: may("processes:read") && definition_id !== "",
  });
}

export function useStuck(every: number | false) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.stuck,
    queryFn: () => sent(api.GET("/v1/{tenant}/processes/stuck", { params: { path: { tenant }, query: { limit: 100 } } })),
    refetchInterval: every === false ? 60_000 : Math.max(every, 15_000),
    enabled: may("processes:read"),
  });
}

/** What a process sent, or is about to. */
export function useEffects(filter: { instance_id: string }) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.effects(filter),
    queryFn: () => sent(api.GET("/v1/{tenant}/effects", { params: { path: { tenant }, query: { ...filter, limit: 100 } } })),
    enabled: may("effects:read"),
  });
}

/** What was given up on: no more attempts are made until somebody says so. */
export function useDeadLetters() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.effects({ status: "dead_letter" }),
    queryFn: () => sent(api.GET("/v1/{tenant}/effects", { params: { path: { tenant }, query: { status: "dead_letter", limit: 20 } } })),
    enabled: may("effects:read"),
  });
}

export type Operation = "pause" | "resume" | "cancel" | "fail" | "retry" | "rebuild" | "enqueue";

export const useOperate = () =>
  useChange(TOUCHED, async (tenant, { id, seen, operation, reason }: { id: string; seen: number; operation: Operation; reason: string }) => {
    const params = { path: { tenant, instance_id: id }, header: ifSeen(seen) };
    switch (operation) {
      case "pause":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/pause", { params, body: { reason } }));
      case "resume":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/resume", { params }));
      case "cancel":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/cancel", { params, body: { reason } }));
      case "fail":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/fail", { params, body: { reason } }));
      case "retry":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/retry", { params, body: { token: null } }));
      case "rebuild":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/rebuild", { params }));
      case "enqueue":
        return sent(api.POST("/v1/{tenant}/processes/{instance_id}/enqueue", { params }));
    }
  });

export interface Migrate {
  id: string;
  seen: number;
  definition_id: string;
  version: number;
  dry_run: boolean;
}

export const useMigrate = () =>
  useChange(TOUCHED, (tenant, { id, seen, ...body }: Migrate) =>
    sent(
      api.POST("/v1/{tenant}/processes/{instance_id}/migrate", {
        params: { path: { tenant, instance_id: id }, header: ifSeen(seen) },
        body,
      }),
    ),
  );

/** The definition that new processes of a type follow. */
export function useNewestDefinition(entity_type: string) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: ["compiled", "newest", entity_type],
    queryFn: () => sent(api.GET("/v1/{tenant}/workflows/{entity_type}", { params: { path: { tenant, entity_type } } })),
    enabled: may("processes:read") && entity_type !== "",
    retry: false,
  });
}
