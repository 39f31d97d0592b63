/** Workflows as organisations write them: drafts, what was published, and what may be used in them. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FoundProblem } from "../builder/model/problems";
import { compiledOf } from "../canvas/compiled";
import type { Json, JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, ifSeen, sent } from "./client";
import { keys } from "./keys";
import { asProblem } from "./problem";
import type { components } from "./schema";
import type { Definition } from "./types";

type Schemas = components["schemas"];

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

export type PaletteEntry = Schemas["PaletteEntry"];
export type PaletteGroup = Schemas["PaletteGroup"];

/** Everything that can be put into a slot, by groups. */
export function usePalette() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.palette,
    queryFn: async () => (await sent(api.GET("/v1/{tenant}/palette", { params: { path: { tenant } } }))).groups,
    staleTime: Infinity,
    enabled: may("processes:read"),
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
  /** Which of somebody's windows writes. */
  client: string;
}


/** Writes a draft; the answer takes the place of what was read, so that nothing is asked for again. */
export function useSaveDraft() {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  return async ({ id, revision, ...body }: SaveDraft): Promise<Definition> => {
    const params = { path: { tenant, definition_id: id }, header: ifSeen(revision) };
    const saved = await sent(api.PUT("/v1/{tenant}/definitions/{definition_id}", { params, body: body as never }));
    cache.setQueryData(keys.definition(id), saved);
    return saved;
  };
}

const TOUCHED = [keys.allDefinitions, keys.allProcesses, ["compiled"]];

export type TemplateInfo = Schemas["TemplateInfo"];
export type WorkflowOverview = Schemas["WorkflowOverview"];

/** What there is to be done about each workflow: an older skeleton, an older compiler. */
export function useWorkflows() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...keys.allDefinitions, "workflows"],
    queryFn: () => sent(api.GET("/v1/{tenant}/workflows", { params: { path: { tenant } } })),
    enabled: may("processes:read"),
  });
}

/** The library of workflows to begin with; it comes with the release. */
export function useTemplates() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: ["templates"], queryFn: () => sent(api.GET("/v1/{tenant}/templates", { params: { path: { tenant } } })), staleTime: Infinity, enabled: may("processes:read") });
}

/** One template with the workflow it compiles to, so that it can be drawn. */
export function useTemplate(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["templates", name],
    queryFn: async () => {
      const { compiled, cases, ...rest } = await sent(api.GET("/v1/{tenant}/templates/{name}", { params: { path: { tenant, name } } }));
      return { ...rest, compiled: compiledOf(compiled), cases: cases.flatMap((each) => (typeof each.name === "string" ? [each.name] : [])) };
    },
    staleTime: Infinity,
  });
}

/** A draft from a template, with its test cases; a document type that is not there comes with it. */
export const useInstantiate = () =>
  useChange([...TOUCHED, keys.contracts], (tenant, { name, entity_type }: { name: string; entity_type: string }) =>
    sent(api.POST("/v1/{tenant}/templates/{name}/instantiate", { params: { path: { tenant, name } }, body: { entity_type } as never })),
  );

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
  useChange(TOUCHED, (tenant, { id, revision }: { id: string; revision: number }) => sent(api.DELETE("/v1/{tenant}/definitions/{definition_id}", { params: { path: { tenant, definition_id: id }, header: ifSeen(revision) } })));

export const usePublish = () =>
  useChange(TOUCHED, (tenant, { id, revision, despite_cases }: { id: string; revision: number; despite_cases: boolean }) =>
    sent(api.POST("/v1/{tenant}/definitions/{definition_id}/publish", { params: { path: { tenant, definition_id: id }, query: { despite_cases }, header: ifSeen(revision) } })),
  );

/** Asks for a draft to be published as it is, by somebody else where that takes two. */
export const usePropose = () =>
  useChange(TOUCHED, (tenant, { id, revision }: { id: string; revision: number }) =>
    sent(api.POST("/v1/{tenant}/definitions/{definition_id}/propose", { params: { path: { tenant, definition_id: id }, header: ifSeen(revision) } })),
  );

/** The slots of a skeleton, of any version. */
export function useSlots(entity_type: string, version: number | null) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: ["skeleton", entity_type, version],
    queryFn: async () => (await sent(api.GET("/v1/{tenant}/contracts/{entity_type}/skeleton", { params: { path: { tenant, entity_type }, query: version === null ? {} : { version } } }))).slots.map(({ slot_id }) => slot_id),
    staleTime: Infinity,
    enabled: may("processes:read"),
    retry: false,
  });
}

/** What carrying patches to the newest skeleton would mean. */
export function useUpgrade(id: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...keys.definition(id), "upgrade"],
    queryFn: () => sent(api.GET("/v1/{tenant}/definitions/{definition_id}/upgrade", { params: { path: { tenant, definition_id: id } } })),
    retry: false,
  });
}

export const useRebase = () =>
  useChange(TOUCHED, (tenant, id: string) =>
    sent(api.POST("/v1/{tenant}/definitions/{definition_id}/rebase", { params: { path: { tenant, definition_id: id }, header: { "If-Match": "*" } }, body: {} as never })),
  );

interface Resolved {
  id: string;
  slot: string;
  revision: number;
  take: "theirs" | "yours";
  client: string;
  into?: string;
}

/** Decides about a slot that a rebase held back. */
export const useResolve = () =>
  useChange([], (tenant, { id, slot, revision, ...body }: Resolved) =>
    sent(api.POST("/v1/{tenant}/definitions/{definition_id}/held-back/{slot}/resolve", { params: { path: { tenant, definition_id: id, slot }, header: ifSeen(revision) }, body: body as never })),
  );

/** What the test cases of a type come to with a draft. */
export function useCases(definition_id: string, revision: number) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...keys.definition(definition_id), "cases", revision],
    queryFn: ({ signal }) => sent(api.POST("/v1/{tenant}/test-cases/run", { params: { path: { tenant } }, signal, body: { definition_id } as never })),
    retry: false,
  });
}

export interface NewCase {
  entity_type: string;
  name: string;
  document: JsonObject;
  script: readonly Json[];
  world: JsonObject;
  expect: JsonObject;
}

/** Keeps a simulation as a test case of the type. */
export const useKeepCase = () =>
  useChange([keys.allDefinitions], (tenant, { entity_type, name, ...body }: NewCase) =>
    sent(api.PUT("/v1/{tenant}/workflows/{entity_type}/test-cases/{name}", { params: { path: { tenant, entity_type, name } }, body: body as never })),
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

/** What a draft changes of what is in force, or a version of the one before it. */
export function useDraftChanges(id: string, revision: number, ready: boolean) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: [...keys.definition(id), "changes", revision],
    queryFn: () => sent(api.GET("/v1/{tenant}/definitions/{definition_id}/changes", { params: { path: { tenant, definition_id: id } } })),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Where an expression stands, which says what it may read. */
export interface Place {
  entity_type: string;
  version: number | null;
  /** What steps save into `context`. */
  variables?: readonly string[];
  /** The list of the `for_each` around it. */
  item_of?: string;
}

export interface Tried {
  text: string;
  place: Place;
  document_id: string;
  /** What the field holds, if not an expression. */
  holds?: "template" | "payload";
}

/** What an expression comes to with a document that is there, and why. */
export function useTry(wanted: Tried | null) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["expression", "try", wanted],
    queryFn: ({ signal }) => sent(api.POST("/v1/{tenant}/expressions/try", { params: { path: { tenant } }, signal, body: wanted as never })),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The same expression as everybody writes it. */
export const useFormat = () => useChange([], (tenant, text: string) => sent(api.POST("/v1/{tenant}/expressions/format", { params: { path: { tenant } }, body: { text } as never })));

/** Whether an expression can stand somewhere, and what is wrong with it, to the letter. */
export function useExpressionCheck(text: string, place: Place, expect: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["expression", text, place, expect],
    queryFn: async ({ signal }) => {
      const body = { text, place, ...(expect !== "any" && { expect }) };
      return sent(api.POST("/v1/{tenant}/expressions/check", { params: { path: { tenant } }, signal, body: body as never }));
    },
    enabled: text.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
}

export function useCompletions(text: string, cursor: number | null, place: Place) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["completions", text, cursor, place],
    queryFn: async ({ signal }) =>
      sent(api.POST("/v1/{tenant}/expressions/complete", { params: { path: { tenant } }, signal, body: { text, cursor, place } as never })),
    enabled: cursor !== null,
    staleTime: 60_000,
    retry: false,
  });
}

export type SimulationFrame = Schemas["Frame"];

/** Plays a script through a draft: every frame of it, so that one can go back as well as on. */
export function useSimulation(definition_id: string, revision: number, document: JsonObject | null, script: readonly Json[]) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["simulation", definition_id, revision, document, script],
    queryFn: async ({ signal }) =>
      (await sent(api.POST("/v1/{tenant}/simulations", { params: { path: { tenant } }, signal, body: { definition_id, document, script, world: { confirms: true } } as never }))).simulated,
    enabled: document !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export type WhatIf = Schemas["WhatIfInfo"];

export const useStartWhatIf = () =>
  useChange([["what-ifs"]], (tenant, body: { definition_id: string; most: number; documents: { doc_status?: string; created_after?: string } }) =>
    sent(api.POST("/v1/{tenant}/what-ifs", { params: { path: { tenant } }, body: body as never })),
  );

/** The newest replay of past documents through a draft, if there was one. */
export function useNewestWhatIf(entity_type: string, definition_id: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["what-ifs", "newest", definition_id],
    queryFn: async () => {
      const { items } = await sent(api.GET("/v1/{tenant}/what-ifs", { params: { path: { tenant }, query: { entity_type, limit: 20 } } }));
      return items.find((each) => each.definition_id === definition_id) ?? null;
    },
    staleTime: 0,
  });
}

export const useCancelWhatIf = () =>
  useChange([["what-ifs"]], (tenant, id: string) => sent(api.POST("/v1/{tenant}/what-ifs/{what_if_id}/cancel", { params: { path: { tenant, what_if_id: id } } })));

export function useWhatIf(id: string | null) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["what-ifs", id],
    queryFn: () => sent(api.GET("/v1/{tenant}/what-ifs/{what_if_id}", { params: { path: { tenant, what_if_id: id ?? "" } } })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? 500 : false),
  });
}

export function useWhatIfGroups(id: string, replayed: number) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["what-ifs", id, "groups", replayed],
    queryFn: () => sent(api.GET("/v1/{tenant}/what-ifs/{what_if_id}/groups", { params: { path: { tenant, what_if_id: id } } })),
    placeholderData: keepPreviousData,
  });
}

export function useWhatIfDocuments(id: string, group_id: string | null) {
  const { tenant } = useSignedIn();
  return useInfiniteQuery({
    queryKey: ["what-ifs", id, "documents", group_id],
    queryFn: ({ pageParam }) =>
      sent(api.GET("/v1/{tenant}/what-ifs/{what_if_id}/groups/{group_id}/documents", { params: { path: { tenant, what_if_id: id, group_id: group_id ?? "" }, query: { limit: AT_ONCE, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: group_id !== null,
  });
}

/** One document's two ways: as it went, and as the draft would lead it. */
export function useReplay(what_if_id: string, replayed_id: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: ["what-ifs", what_if_id, "document", replayed_id],
    queryFn: () => sent(api.GET("/v1/{tenant}/what-ifs/{what_if_id}/documents/{replayed_id}", { params: { path: { tenant, what_if_id, replayed_id } } })),
    staleTime: Infinity,
  });
}

export type DraftEditor = Schemas["DraftEditor"];

/** Says that this window edits a draft, or asks who does: whoever is second reads, until they take over. */
export function useEditing(draft_id: string, client: string, enabled: boolean) {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  const key = [...keys.definition(draft_id), "editor"];
  const params = { path: { tenant, draft_id } };
  const query = useQuery({
    queryKey: key,
    queryFn: async (): Promise<DraftEditor | null> => {
      try {
        return await sent(api.PUT("/v1/{tenant}/definitions/{draft_id}/editing", { params, body: { client, take_over: false } }));
      } catch (error) {
        if (asProblem(error).status !== 409) throw error;
        return sent(api.GET("/v1/{tenant}/definitions/{draft_id}/editing", { params: { ...params, query: { client } } }));
      }
    },
    refetchInterval: 10_000,
    enabled,
  });
  const takeOver = async () => {
    cache.setQueryData(key, await sent(api.PUT("/v1/{tenant}/definitions/{draft_id}/editing", { params, body: { client, take_over: true } })));
  };
  useEffect(() => {
    if (!enabled) return;
    // Whoever leaves says so, even with a closed tab: the next one need not wait for a lease to run out.
    const leave = () => {
      void api.DELETE("/v1/{tenant}/definitions/{draft_id}/editing", { params: { path: { tenant, draft_id }, query: { client } }, keepalive: true }).catch(() => undefined);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [tenant, draft_id, client, enabled]);
  return { editor: query.data ?? null, asked: query.dataUpdatedAt, ask: query.refetch, takeOver };
}
