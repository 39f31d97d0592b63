/** The data store as the console asks for it and changes it. Lists come without values: one value may be as large as a thousand rows. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, ifSeen, sent } from "./client";
import type { components } from "./schema";
import type { Json } from "../json/json";

type Schemas = components["schemas"];
export type Entry = Schemas["EntryOut"];
export type KeyEvent = Schemas["KeyEvent"];
export type NamespaceRules = Schemas["NamespaceRules"];

const KEYS_AT_ONCE = 200;
const all = ["data"] as const;

export const dataKeys = {
  all,
  namespaces: [...all, "namespaces"] as const,
  list: (namespace: string, prefix: string) => [...all, "list", namespace, prefix] as const,
  entry: (namespace: string, key: string) => [...all, "entry", namespace, key] as const,
  history: (namespace: string, key: string) => [...all, "history", namespace, key] as const,
  rules: (namespace: string) => [...all, "rules", namespace] as const,
};

export function useNamespaces() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: dataKeys.namespaces,
    queryFn: async () => {
      const found: Schemas["NamespaceUse"][] = [];
      let cursor: string | null = null;
      do {
        const page: Schemas["NamespacePage"] = await sent(api.GET("/v1/{tenant}/data/namespaces", { params: { path: { tenant }, query: { cursor } } }));
        found.push(...page.namespaces);
        cursor = page.next_cursor;
      } while (cursor !== null && found.length < 5_000);
      return found;
    },
    enabled: may("data:read"),
  });
}

/** Keys in their order. Each page is asked for once: what others write meanwhile moves no row, and a change of one's own renews them. */
export function useKeys(namespace: string, prefix: string) {
  const { tenant } = useSignedIn();
  return useInfiniteQuery({
    queryKey: dataKeys.list(namespace, prefix),
    queryFn: ({ pageParam }) =>
      sent(api.GET("/v1/{tenant}/data/entries", { params: { path: { tenant }, query: { namespace, prefix, limit: KEYS_AT_ONCE, cursor: pageParam, values: false } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchOnWindowFocus: false,
  });
}

export function useEntry(namespace: string, key: string) {
  const { tenant } = useSignedIn();
  return useQuery({ queryKey: dataKeys.entry(namespace, key), queryFn: () => readEntry(tenant, namespace, key), retry: false });
}

export function readEntry(tenant: string, namespace: string, key: string): Promise<Entry> {
  return sent(api.GET("/v1/{tenant}/data/entry", { params: { path: { tenant }, query: { namespace, key } } }));
}

export function useKeyHistory(namespace: string, key: string) {
  const { tenant } = useSignedIn();
  return useInfiniteQuery({
    queryKey: dataKeys.history(namespace, key),
    queryFn: ({ pageParam }) =>
      sent(api.GET("/v1/{tenant}/data/history", { params: { path: { tenant }, query: { namespace, key, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useRules(namespace: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: dataKeys.rules(namespace),
    queryFn: () => sent(api.GET("/v1/{tenant}/data/rules", { params: { path: { tenant }, query: { namespace } } })),
  });
}

export interface NewEntry {
  namespace: string;
  key: string;
  value: Json;
  ttl: number | null;
  /** The revision it must have, 0 for none. */
  seen: number;
}

export const useSetEntry = () =>
  useChange([all], (tenant, { namespace, key, value, ttl, seen }: NewEntry) =>
    sent(
      api.PUT("/v1/{tenant}/data/entry", {
        params: { path: { tenant }, query: { namespace, key } },
        body: { value, ttl_seconds: ttl, if_revision: seen },
      }),
    ),
  );

export const useDeleteEntry = () =>
  useChange([all], (tenant, { namespace, key, revision }: { namespace: string; key: string; revision: number }) =>
    sent(api.DELETE("/v1/{tenant}/data/entry", { params: { path: { tenant }, query: { namespace, key } }, headers: ifSeen(revision) })),
  );

export const useSetRules = () =>
  useChange([all], (tenant, body: Schemas["NewRules"]) => sent(api.PUT("/v1/{tenant}/data/rules", { params: { path: { tenant } }, body })));

/** The namespaces in which there are links. */
export function useLinkNamespaces() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...all, "link-namespaces"],
    queryFn: async () => (await sent(api.GET("/v1/{tenant}/links/namespaces", { params: { path: { tenant } } }))).namespaces,
    enabled: may("data:read"),
  });
}

/** What one record is linked with, in both directions, whichever page of the list that is on. */
export function useLinksAround(namespace: string, record: string | undefined) {
  const { tenant } = useSignedIn();
  const [type = "", ...rest] = (record ?? "").split("/");
  const from = { type, id: rest.join("/") };
  return useQuery({
    queryKey: [...all, "links", namespace, "around", record],
    queryFn: () => sent(api.POST("/v1/{tenant}/links/lookup", { params: { path: { tenant } }, body: { namespace, from, direction: "either", limit: KEYS_AT_ONCE } })),
    enabled: record !== undefined,
    placeholderData: keepPreviousData,
  });
}

export function useLinks(namespace: string) {
  const { tenant } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...all, "links", namespace],
    queryFn: ({ pageParam }) => sent(api.GET("/v1/{tenant}/links", { params: { path: { tenant }, query: { namespace, limit: KEYS_AT_ONCE, cursor: pageParam } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}
