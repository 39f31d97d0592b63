/** What waits for people and what they decide: the console's side of requests, delegations and messages. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { asked, type InboxFilter, type InboxTab } from "../features/inbox/filter";
import type { JsonObject } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { useChange } from "./changes";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { DecidedItem, DecisionBody, InboxItem, NewDelegation } from "./types";

const AT_ONCE = 100;
const TOUCHED = [keys.allPeople, keys.allDocuments, keys.allProcesses];

/** What waits for whoever is signed in, oldest first; what is overdue, longest first. */
export function useInbox(tab: InboxTab, every: number | false, filter: InboxFilter = {}) {
  const { tenant } = useSignedIn();
  const which = tab === "all" ? null : tab;
  return useInfiniteQuery({
    queryKey: keys.inbox({ tab, ...filter }),
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/inbox", {
          params: { path: { tenant }, query: { which, ...asked(filter), limit: AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: every,
  });
}

export interface TabCount {
  count: number;
  /** There are more than were counted. */
  more: boolean;
}

export type TabCounts = Record<InboxTab, TabCount>;

/** How much waits under each tab, as the server counts it: the same filter, the same rows as the list. */
export function useInboxCounts(every: number | false, filter: InboxFilter = {}) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.counts(filter),
    queryFn: async (): Promise<TabCounts> => {
      const { most, ...counts } = await sent(
        api.GET("/v1/{tenant}/inbox/counts", { params: { path: { tenant }, query: asked(filter) } }),
      );
      const shown = Object.entries(counts).map(([tab, count]) => [tab, { count, more: count >= most }]);
      return Object.fromEntries(shown) as TabCounts;
    },
    placeholderData: keepPreviousData,
    refetchInterval: every === false ? false : Math.max(every, 6_000),
  });
}

/** The views of the inbox that somebody keeps. */
export function useInboxViews() {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.views,
    queryFn: () => sent(api.GET("/v1/{tenant}/inbox/views", { params: { path: { tenant } } })),
  });
}

export const useSaveView = () =>
  useChange([keys.views], (tenant, { name, filters }: { name: string; filters: Record<string, string> }) =>
    sent(api.PUT("/v1/{tenant}/inbox/views/{name}", { params: { path: { tenant, name } }, body: { filters } })),
  );

export const useDeleteView = () =>
  useChange([keys.views], (tenant, name: string) =>
    sent(api.DELETE("/v1/{tenant}/inbox/views/{name}", { params: { path: { tenant, name } } })),
  );

/** One request with everybody who is asked and what they decided. */
export function useRequest(id: string | undefined, every: number | false = false) {
  const { tenant } = useSignedIn();
  const request_id = id ?? "";
  return useQuery({
    queryKey: keys.request(request_id),
    queryFn: () => sent(api.GET("/v1/{tenant}/approvals/{request_id}", { params: { path: { tenant, request_id } } })),
    refetchInterval: every,
    enabled: request_id !== "",
  });
}

/** The document at the version people are asked about; it never changes. */
export function usePinned(id: string | undefined, exists: boolean) {
  const { tenant } = useSignedIn();
  const request_id = id ?? "";
  return useQuery({
    queryKey: keys.pinned(request_id),
    queryFn: () =>
      sent(api.GET("/v1/{tenant}/approvals/{request_id}/document", { params: { path: { tenant, request_id } } })),
    staleTime: Infinity,
    enabled: request_id !== "" && exists,
  });
}

/** Every request about a document, or of a process, newest first. */
export function useRequests(about: { document_id?: string | null; instance_id?: string | null }, every: number | false = false) {
  const { tenant, may } = useSignedIn();
  const { document_id = null, instance_id = null } = about;
  return useQuery({
    queryKey: keys.requests({ document_id, instance_id }),
    queryFn: async () => {
      const page = await sent(
        api.GET("/v1/{tenant}/approvals", {
          params: { path: { tenant }, query: { document_id, instance_id, limit: 100 } },
        }),
      );
      return page.items;
    },
    refetchInterval: every,
    enabled: may("processes:read") && (document_id !== null || instance_id !== null),
  });
}

export const useDecide = () =>
  useChange(TOUCHED, (tenant, { id, ...body }: DecisionBody & { id: string }) =>
    sent(api.POST("/v1/{tenant}/approvals/{request_id}/decisions", { params: { path: { tenant, request_id: id } }, body })),
  );

export const useAnswer = () =>
  useChange(TOUCHED, (tenant, { id, data, answer }: { id: string; data: JsonObject; answer: string | null }) =>
    sent(
      api.POST("/v1/{tenant}/approvals/{request_id}/answer", {
        params: { path: { tenant, request_id: id } },
        body: { data, answer },
      }),
    ),
  );

export const useClaim = () =>
  useChange([keys.allPeople], (tenant, { id, claim }: { id: string; claim: boolean }) => {
    const params = { path: { tenant, request_id: id } };
    return sent(
      claim
        ? api.POST("/v1/{tenant}/approvals/{request_id}/claim", { params })
        : api.POST("/v1/{tenant}/approvals/{request_id}/release", { params }),
    );
  });

export interface HandOver {
  id: string;
  to: string;
  reason: string;
  of: string | null;
}

export const useHandOver = () =>
  useChange([keys.allPeople], (tenant, { id, ...body }: HandOver) =>
    sent(api.POST("/v1/{tenant}/approvals/{request_id}/reassign", { params: { path: { tenant, request_id: id } }, body })),
  );

export function useDelegations() {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.delegations,
    queryFn: () => sent(api.GET("/v1/{tenant}/delegations", { params: { path: { tenant } } })),
  });
}

export const useCreateDelegation = () =>
  useChange([keys.delegations], (tenant, body: NewDelegation) =>
    sent(api.POST("/v1/{tenant}/delegations", { params: { path: { tenant } }, body })),
  );

export const useEndDelegation = () =>
  useChange([keys.delegations], (tenant, delegation_id: string) =>
    sent(api.DELETE("/v1/{tenant}/delegations/{delegation_id}", { params: { path: { tenant, delegation_id } } })),
  );

export function useNotifications(every: number | false) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.notifications,
    queryFn: () => sent(api.GET("/v1/{tenant}/notifications", { params: { path: { tenant }, query: { limit: 50 } } })),
    refetchInterval: every === false ? false : Math.max(every, 15_000),
  });
}

/** How many messages somebody has not read. */
export function useUnread(every: number | false) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.unread,
    queryFn: () => sent(api.GET("/v1/{tenant}/notifications/unread", { params: { path: { tenant } } })),
    refetchInterval: every === false ? false : Math.max(every, 15_000),
  });
}

export const useReadNotifications = () =>
  useChange([keys.notifications, keys.unread], (tenant, ids: string[]) =>
    sent(api.POST("/v1/{tenant}/notifications/read", { params: { path: { tenant } }, body: { ids } })),
  );

/** The same requests with everybody who is asked and everything they decided. */
export function useRequestDetails(about: { document_id?: string | null; instance_id?: string | null }, every: number | false = false) {
  const { tenant, may } = useSignedIn();
  const { document_id = null, instance_id = null } = about;
  return useQuery({
    queryKey: [...keys.requests({ document_id, instance_id }), "details"],
    queryFn: async () => {
      const { items } = await sent(
        api.GET("/v1/{tenant}/approvals", { params: { path: { tenant }, query: { document_id, instance_id, limit: 50 } } }),
      );
      return Promise.all(
        items.map(({ id }) =>
          sent(api.GET("/v1/{tenant}/approvals/{request_id}", { params: { path: { tenant, request_id: id } } })),
        ),
      );
    },
    refetchInterval: every,
    enabled: may("processes:read") && (document_id !== null || instance_id !== null),
  });
}

const together = (tenant: string, items: readonly InboxItem[], dry_run: boolean) =>
  items.length === 0
    ? Promise.resolve(new Map<string, DecidedItem>())
    : sent(
        api.POST("/v1/{tenant}/approvals/decide", {
          params: { path: { tenant } },
          body: {
            decision: "approved",
            dry_run,
            requests: items.map(({ id, entity_version, content_hash }) => ({ request_id: id, entity_version, content_hash })),
          },
        }),
      ).then((answers) => new Map(answers.map((each) => [each.request_id, each])));

/** What would become of each, were all of them approved now. Nothing is written. */
export function useTryMany() {
  const { tenant } = useSignedIn();
  return useMutation({ mutationFn: (items: readonly InboxItem[]) => together(tenant, items, true) });
}

/** Approves all of them; one that is refused keeps no other from being approved. */
export const useDecideMany = () => useChange(TOUCHED, (tenant, items: readonly InboxItem[]) => together(tenant, items, false));
