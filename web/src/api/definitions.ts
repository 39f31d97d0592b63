/** Workflows as organisations write them: drafts, what was published, and what may be used in them. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FoundProblem } from "../builder/model/problems";
import { compiledOf } from "../canvas/compiled";
import type { JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { Definition } from "./types";

const AT_ONCE = 50;

export interface DefinitionFilter {
  entity_type?: string;
  kind?: "envelope" | "org_patch" | "effective";
  status?: "draft" | "published" | "archived";
}

/** Newest first, without their patches. */
export function useDefinitions(filter: DefinitionFilter) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.definitions(filter),
    queryFn: ({ pageParam }) =>
      sent(api.GET("/v1/{tenant}/definitions", { params: { path: { tenant }, query: { ...filter, limit: AT_ONCE, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    enabled: may("processes:read"),
  });
}

export function useDefinition(id: string) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.definition(id),
    queryFn: () => sent(api.GET("/v1/{tenant}/definitions/{definition_id}", { params: { path: { tenant, definition_id: id } } })),
    enabled: may("processes:read") && id !== "",
    // What is edited is the copy in hand: an answer must not take its place behind one's back.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
}

/** A draft compiled as it would run, when there is nothing wrong with it. */
export function useDraftCompiled(id: string, revision: number, ready: boolean) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...keys.definition(id), "compiled", revision],
    queryFn: async () => compiledOf(await sent(api.GET("/v1/{tenant}/definitions/{definition_id}/compiled", { params: { path: { tenant, definition_id: id } } }))),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export interface NodeTypeInfo {
  type: string;
  title: string;
  description: string;
  group: string;
  icon: string;
  branch: boolean;
  schema: JsonObject;
  outcomes?: readonly string[];
}

export function useNodeTypes() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.nodeTypes,
    queryFn: async () => (await sent(api.GET("/v1/{tenant}/node-types", { params: { path: { tenant } } }))) as readonly NodeTypeInfo[],
    staleTime: Infinity,
    enabled: may("processes:read"),
  });
}

export interface ActionInfo {
  name: string;
  label: string;
  description: string;
  group: string;
  input: JsonObject;
}

/** What a step can call. Somebody who may not call any still sees their names in what is there. */
export function useActions() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.actions,
    queryFn: async () => (await sent(api.GET("/v1/{tenant}/actions", { params: { path: { tenant } } }))) as unknown as readonly ActionInfo[],
    staleTime: Infinity,
    enabled: may("actions:call"),
  });
}

/** What the compiler says of patches that nobody has stored. */
export function useCheck(entity_type: string, base_version: number | null, patches: JsonObject | null) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["check", entity_type, base_version, patches],
    queryFn: async ({ signal }) => {
      const params = { path: { tenant, entity_type } };
      const answer = await sent(
        api.POST("/v1/{tenant}/workflows/{entity_type}/validate", { params, signal, body: { patches: patches ?? {}, ...(base_version !== null && { base_version }) } as never }),
      );
      return answer as unknown as { ok: boolean; problems: readonly FoundProblem[] };
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
    enabled: patches !== null,
  });
}

export interface SaveDraft {
  id: string;
  revision: number;
  patches: JsonObject;
  name: string;
  note: string;
}

/** Writes a draft; the answer takes the place of what was read, so that nothing is asked for again. */
export function useSaveDraft() {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  return async ({ id, revision, ...body }: SaveDraft): Promise<Definition> => {
    const params = { path: { tenant, definition_id: id } };
    const saved = await sent(api.PUT("/v1/{tenant}/definitions/{definition_id}", { params, headers: { "If-Match": `"${revision}"` }, body: body as never }));
    cache.setQueryData(keys.definition(id), saved);
    return saved;
  };
}

const TOUCHED = [keys.allDefinitions, keys.allProcesses, ["compiled"]];

/** A draft begins with what is in force, or empty. */
export const useCreateDraft = () =>
  useChange(TOUCHED, async (tenant, { entity_type, from }: { entity_type: string; from: string | null }) => {
    const before = from === null ? null : await sent(api.GET("/v1/{tenant}/definitions/{definition_id}", { params: { path: { tenant, definition_id: from } } }));
    return sent(api.POST("/v1/{tenant}/definitions", { params: { path: { tenant } }, body: { entity_type, patches: before?.patches ?? {} } as never }));
  });

export const useCreateAutomation = () =>
  useChange(TOUCHED, (tenant, { name }: { name: string }) =>
    sent(api.POST("/v1/{tenant}/automations", { params: { path: { tenant } }, body: { name, patch: { nodes: [], edges: [] } } as never })),
  );

export const useDeleteDraft = () =>
  useChange(TOUCHED, (tenant, id: string) => sent(api.DELETE("/v1/{tenant}/definitions/{definition_id}", { params: { path: { tenant, definition_id: id } } })));

export const usePublish = () =>
  useChange(TOUCHED, (tenant, { id, revision }: { id: string; revision: number }) =>
    sent(api.POST("/v1/{tenant}/definitions/{definition_id}/publish", { params: { path: { tenant, definition_id: id } }, headers: { "If-Match": `"${revision}"` } })),
  );

export const useRollBack = () =>
  useChange(TOUCHED, (tenant, { entity_type, version }: { entity_type: string; version: number }) =>
    sent(api.POST("/v1/{tenant}/workflows/{entity_type}/rollback", { params: { path: { tenant, entity_type } }, body: { version } as never })),
  );

export const useArchive = () =>
  useChange(TOUCHED, (tenant, entity_type: string) => sent(api.POST("/v1/{tenant}/workflows/{entity_type}/archive", { params: { path: { tenant, entity_type } } })));

export const useRecompile = () =>
  useChange(TOUCHED, (tenant, entity_type: string) => sent(api.POST("/v1/{tenant}/workflows/{entity_type}/recompile", { params: { path: { tenant, entity_type } } })));

/** What differs between two workflows, slot by slot. */
export function useDiff(before: string | undefined, after: string | undefined) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.diff(before ?? "", after ?? ""),
    queryFn: () => sent(api.GET("/v1/{tenant}/definitions/{before}/diff/{after}", { params: { path: { tenant, before: before ?? "", after: after ?? "" } } })),
    enabled: may("processes:read") && before !== undefined && after !== undefined,
    retry: false,
  });
}

/** What an organisation changed of its skeleton. */
export function useCustomisation(id: string | undefined) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.diff("skeleton", id ?? ""),
    queryFn: () => sent(api.GET("/v1/{tenant}/definitions/{definition_id}/customisation", { params: { path: { tenant, definition_id: id ?? "" } } })),
    enabled: may("processes:read") && id !== undefined,
    retry: false,
  });
}
