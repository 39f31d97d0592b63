/** Documents, their contracts and versions: what the console reads and changes of them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DocumentFilter } from "../features/documents/filter";
import type { JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, ifSeen, sent } from "./client";
import { keys } from "./keys";
import type { ContractInfo, Document } from "./types";

const AT_ONCE = 50;
const LONGEST_CHAIN = 25;

/** The newest contract of each type of document; what automations have is left out. */
export function useContracts() {
  return useNewest(newestContracts);
}

/** The types that documents are made of: automations have contracts too, and no documents. */
export function useDocumentTypes() {
  return useNewest(documentTypes);
}

function useNewest(select: (all: readonly ContractInfo[]) => ContractInfo[]) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.contracts,
    queryFn: () => sent(api.GET("/v1/{tenant}/contracts", { params: { path: { tenant } } })),
    select,
    staleTime: 60_000,
    enabled: may("documents:read"),
  });
}

const documentTypes = (all: readonly ContractInfo[]) => newestContracts(all).filter(({ automation }) => !automation);

function newestContracts(all: readonly ContractInfo[]): ContractInfo[] {
  const newest = new Map<string, ContractInfo>();
  for (const each of all) {
    const known = newest.get(each.entity_type);
    if (!each.automation && (!known || known.version < each.version)) newest.set(each.entity_type, each);
  }
  return [...newest.values()];
}

export function useContract(entityType: string | undefined): ContractInfo | undefined {
  const { data } = useContracts();
  return useMemo(() => data?.find((each) => each.entity_type === entityType), [data, entityType]);
}

/** Documents of one type, newest first. The server lists one type at a time. */
export function useDocuments(filter: DocumentFilter & { type: string }, every: number | false) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.documents(filter),
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/documents", {
          params: {
            path: { tenant },
            query: { entity_type: filter.type, doc_status: filter.status, limit: AT_ONCE, cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: every,
    enabled: may("documents:read") && filter.type !== "",
  });
}

export function useDocument(id: string | null | undefined, every: number | false = false) {
  const { tenant, may } = useSignedIn();
  const document_id = id ?? "";
  return useQuery({
    queryKey: keys.document(document_id),
    queryFn: () => sent(api.GET("/v1/{tenant}/documents/{document_id}", { params: { path: { tenant, document_id } } })),
    refetchInterval: every,
    enabled: may("documents:read") && document_id !== "",
  });
}

/** Every version, whole, newest first. */
export function useVersions(document_id: string | null | undefined) {
  const { tenant, may } = useSignedIn();
  const id = document_id ?? "";
  return useQuery({
    queryKey: keys.versions(id),
    queryFn: async () => {
      const page = await sent(
        api.GET("/v1/{tenant}/documents/{document_id}/versions", {
          params: { path: { tenant, document_id: id }, query: { limit: 200 } },
        }),
      );
      return page.items;
    },
    enabled: may("documents:read") && id !== "",
  });
}

export const useCreateDocument = () =>
  useChange([keys.allDocuments, keys.allPeople], (tenant, { entity_type, data, key }: { entity_type: string; data: JsonObject; key: string }) =>
    sent(
      api.POST("/v1/{tenant}/documents", {
        params: { path: { tenant }, header: { "idempotency-key": key } },
        body: { entity_type, data },
      }),
    ),
  );

export interface Save {
  id: string;
  version: number;
  data: JsonObject;
}

/** The next version; where only amendments are allowed, the answer is another document. */
export const useSaveDocument = () =>
  useChange([keys.allDocuments, keys.allPeople, keys.allProcesses], (tenant, { id, version, data }: Save) =>
    sent(
      api.PUT("/v1/{tenant}/documents/{document_id}", {
        params: { path: { tenant, document_id: id }, header: ifSeen(version) },
        body: { data },
      }),
    ),
  );

export interface Move {
  id: string;
  version: number;
  transition: string;
  reason: string | null;
}

export const useMoveDocument = () =>
  useChange([keys.allDocuments, keys.allPeople, keys.allProcesses], (tenant, { id, version, transition, reason }: Move) =>
    sent(
      api.POST("/v1/{tenant}/documents/{document_id}/transitions", {
        params: { path: { tenant, document_id: id }, header: ifSeen(version) },
        body: { transition, reason },
      }),
    ),
  );

/** A document and everything it replaced or was replaced by, oldest first: one history. */
export function useAmendChain(document: Document | undefined) {
  const { tenant, may } = useSignedIn();
  const read = (document_id: string) =>
    sent(api.GET("/v1/{tenant}/documents/{document_id}", { params: { path: { tenant, document_id } } }));
  return useQuery({
    queryKey: [...keys.document(document?.id ?? ""), "chain", document?.amended_to_id ?? null],
    queryFn: async () => {
      if (!document) return [];
      const chain: Document[] = [document];
      for (let from = document.amended_from_id; from && chain.length < LONGEST_CHAIN; ) {
        const before: Document = await read(from);
        chain.unshift(before);
        from = before.amended_from_id;
      }
      for (let to = document.amended_to_id ?? null; to && chain.length < LONGEST_CHAIN; ) {
        const after: Document = await read(to);
        chain.push(after);
        to = after.amended_to_id ?? null;
      }
      return chain;
    },
    enabled: may("documents:read") && document !== undefined,
  });
}

/** What is known of the documents that one replaced, oldest first: their versions, what was asked about them, and their processes' steps. */
export function useEarlier(chain: readonly Document[], here: string) {
  const { tenant, may } = useSignedIn();
  const earlier = chain.slice(0, Math.max(0, chain.findIndex(({ id }) => id === here)));
  const told = async (document_id: string) => {
    const path = { tenant, document_id };
    const [versions, asked, processes] = await Promise.all([
      sent(api.GET("/v1/{tenant}/documents/{document_id}/versions", { params: { path, query: { limit: 200 } } })),
      sent(api.GET("/v1/{tenant}/approvals", { params: { path: { tenant }, query: { document_id, limit: 50 } } })),
      sent(api.GET("/v1/{tenant}/processes", { params: { path: { tenant }, query: { document_id, limit: 1 } } })),
    ]);
    const requests = asked.items.map(({ id }) => sent(api.GET("/v1/{tenant}/approvals/{request_id}", { params: { path: { tenant, request_id: id } } })));
    const steps = processes.items.map(({ id }) => sent(api.GET("/v1/{tenant}/processes/{instance_id}/steps", { params: { path: { tenant, instance_id: id }, query: { limit: 200 } } })));
    return { versions: versions.items, requests: await Promise.all(requests), steps: (await Promise.all(steps)).flatMap(({ items }) => items) };
  };
  return useQuery({
    queryKey: [...keys.document(here), "earlier", earlier.map(({ id }) => id)],
    queryFn: () => Promise.all(earlier.map(({ id }) => told(id))),
    enabled: may("documents:read") && may("processes:read") && earlier.length > 0,
  });
}

const NEWEST = 50;

/**
 * The newest documents somebody made. The server cannot be asked by maker yet, so the newest of each type are read and the others
 * left out: the place for its own filter when it has one.
 */
export function useMyDocuments(every: number | false) {
  const { tenant, me, may } = useSignedIn();
  const contracts = useContracts();
  const types = contracts.data?.map(({ entity_type }) => entity_type) ?? [];
  return useQuery({
    queryKey: keys.documents({ mine: me.name, types }),
    queryFn: async () => {
      const pages = await Promise.all(
        types.map((entity_type) =>
          sent(api.GET("/v1/{tenant}/documents", { params: { path: { tenant }, query: { entity_type, limit: NEWEST } } })),
        ),
      );
      return pages
        .flatMap((page) => page.items)
        .filter(({ created_by }) => created_by.replace(/^user:/, "") === me.name)
        .sort((one, other) => other.updated_at.localeCompare(one.updated_at));
    },
    refetchInterval: every === false ? false : Math.max(every, 10_000),
    enabled: may("documents:read") && contracts.data !== undefined,
  });
}

/** What a document is linked with, in every namespace; the server is asked for one namespace at a time. */
export function useLinks(document: Document | undefined) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...keys.document(document?.id ?? ""), "links"],
    queryFn: async () => {
      if (!document) return [];
      const params = { path: { tenant } };
      const { namespaces } = await sent(api.GET("/v1/{tenant}/links/namespaces", { params }));
      const from = { type: document.entity_type, id: document.id };
      const found = await Promise.all(
        namespaces.map(({ namespace }) =>
          sent(api.POST("/v1/{tenant}/links/lookup", { params, body: { namespace, from, direction: "either", limit: 50 } })),
        ),
      );
      return found.flatMap(({ matches }) => matches);
    },
    enabled: may("data:read") && document !== undefined,
  });
}

/** The views of the list of documents that whoever is signed in keeps. */
export function useDocumentViews() {
  const { tenant, may } = useSignedIn();
  return useQuery({ queryKey: keys.documentViews, queryFn: () => sent(api.GET("/v1/{tenant}/document-views", { params: { path: { tenant } } })), enabled: may("documents:read") });
}

export const useSaveDocumentView = () =>
  useChange([keys.documentViews], (tenant, { name, filters }: { name: string; filters: Record<string, string> }) =>
    sent(api.PUT("/v1/{tenant}/document-views/{name}", { params: { path: { tenant, name } }, body: { filters } })),
  );

export const useDeleteDocumentView = () =>
  useChange([keys.documentViews], (tenant, name: string) => sent(api.DELETE("/v1/{tenant}/document-views/{name}", { params: { path: { tenant, name } } })));
