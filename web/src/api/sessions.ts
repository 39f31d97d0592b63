/** Sessions: what the console reads of them and does to them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { SessionFilter } from "../features/sessions/filter";
import type { Json, JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, sent } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type SessionInfo = Schemas["SessionInfo"];
export type SessionDefinition = Schemas["SessionDefinition"];
export type SessionPrompt = Schemas["Prompt"];
export type SessionMessage = Schemas["Message"];
export type Checkpoint = Schemas["Checkpoint"];
export type SessionDrawing = Schemas["Drawing"];

const AT_ONCE = 50;
const ALL = ["sessions"] as const;
const PERIOD = 3_000;
const PREVIOUS = 10;

export const sessionKeys = {
  all: ALL,
  one: (name: string) => [...ALL, "one", name] as const,
  part: (name: string, part: string, ...rest: unknown[]) => [...ALL, part, name, ...rest] as const,
};

export function useSessionDefinitions() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...ALL, "definitions"],
    queryFn: () => sent(api.GET("/v1/{tenant}/session-definitions", { params: { path: { tenant } } })),
    enabled: may("sessions:read"),
  });
}

export function useSessions(filter: SessionFilter, live = true) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...ALL, "list", filter],
    queryFn: ({ pageParam }) =>
      sent(api.GET("/v1/{tenant}/sessions", { params: { path: { tenant }, query: { ...filter, limit: AT_ONCE, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: live ? PERIOD : false,
    enabled: may("sessions:read"),
  });
}

export function useSession(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.one(name),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}", { params: { path: { tenant, name } } })),
    refetchInterval: (query) => (query.state.data?.completed_at || query.state.error ? false : PERIOD),
  });
}

/** Every question there was, those that are answered too. */
export function usePrompts(name: string, live: boolean) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "prompts"),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}/prompts", { params: { path: { tenant, name }, query: { all: true } } })),
    refetchInterval: live ? PERIOD : false,
  });
}

export function useCheckpoints(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "checkpoints"),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}/checkpoints", { params: { path: { tenant, name }, query: { limit: 200 } } })),
  });
}

export function useSessionState(name: string, checkpoint: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "state", checkpoint),
    queryFn: async () => {
      const params = { path: { tenant, name }, query: { checkpoint } };
      const [state, changed] = await Promise.all([
        sent(api.GET("/v1/{tenant}/sessions/{name}/state", { params })),
        sent(api.GET("/v1/{tenant}/sessions/{name}/state/changes", { params })),
      ]);
      return { state, changes: changed.changes };
    },
  });
}

/** The nodes of the graph and the ways between them; null until a session of its revision was executed. */
export function useSessionGraph(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "graph"),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}/graph", { params: { path: { tenant, name } } })),
  });
}

/** Where a session stands now: the nodes that come next. */
export function useStanding(name: string, live: boolean) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "state", "latest"),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}/state", { params: { path: { tenant, name } } })),
    refetchInterval: live ? PERIOD : false,
    // A session that has not begun has no state.
    retry: false,
  });
}

/** The latest sessions of a definition with what each was given, to begin another like it. */
export function usePreviousInputs(workflow: string) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...ALL, "inputs", workflow],
    queryFn: async () => {
      const { items } = await sent(api.GET("/v1/{tenant}/sessions", { params: { path: { tenant }, query: { workflow, limit: PREVIOUS } } }));
      return Promise.all(items.map(({ session_name: name }) => sent(api.GET("/v1/{tenant}/sessions/{name}", { params: { path: { tenant, name } } }))));
    },
    enabled: may("sessions:read"),
  });
}

export const useEditState = (name: string) =>
  useChange([ALL], (tenant, body: { values: JsonObject; as_node: string | null; reason: string }) =>
    sent(api.PATCH("/v1/{tenant}/sessions/{name}/state", { params: { path: { tenant, name } }, body })),
  );

export function useStorage(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: sessionKeys.part(name, "storage"),
    queryFn: () => sent(api.GET("/v1/{tenant}/sessions/{name}/storage", { params: { path: { tenant, name } } })),
  });
}

export const useStartSession = () =>
  useChange([ALL], (tenant, body: { workflow: string; name: string | null; input: Json }) =>
    sent(api.POST("/v1/{tenant}/sessions", { params: { path: { tenant } }, body })),
  );

export const useAnswerPrompt = (name: string) =>
  useChange([ALL], (tenant, body: { answer: Json; prompt_id: string }) =>
    sent(api.POST("/v1/{tenant}/sessions/{name}/answers", { params: { path: { tenant, name } }, body })),
  );

export const useCancelSession = (name: string) =>
  useChange([ALL], (tenant, reason: string) =>
    sent(api.POST("/v1/{tenant}/sessions/{name}/cancel", { params: { path: { tenant, name } }, body: { reason } })),
  );

export const useForkSession = (name: string) =>
  useChange([ALL], (tenant, checkpoint: string) =>
    sent(api.POST("/v1/{tenant}/sessions/{name}/fork", { params: { path: { tenant, name } }, body: { checkpoint } })),
  );
