/** Everything the console reads, one hook each. Hooks that need a permission ask only when it is there. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { EventFilter } from "../features/audit/filter";
import { useSignedIn } from "../session/SignedIn";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { Verification } from "./types";

const USERS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 50;

/** Answers `me` for a given token, or for the session's own. */
export function readMe(token?: string) {
  return sent(api.GET("/v1/me", token ? { headers: { Authorization: `Bearer ${token}` } } : {}));
}

/** Every permission there is, with the server's description. */
export function usePermissionList() {
  return useQuery({
    queryKey: keys.permissions,
    queryFn: () => sent(api.GET("/v1/permissions")),
    staleTime: Infinity,
  });
}

export function useTenant() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.tenant,
    queryFn: () => sent(api.GET("/v1/{tenant}", { params: { path: { tenant } } })),
    enabled: may("tenant:read"),
  });
}

export function useUsers() {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.users,
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/users", {
          params: { path: { tenant }, query: { limit: USERS_AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: may("users:read"),
  });
}

/** Users by id, as far as they are loaded; empty for those who may not see users. */
export function useUserNames(): ReadonlyMap<string, string> {
  const { data } = useUsers();
  return useMemo(
    () => new Map(data?.pages.flatMap((page) => page.items.map((user) => [user.user_id, user.name] as const))),
    [data],
  );
}

export function useRoles() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.roles,
    queryFn: () => sent(api.GET("/v1/{tenant}/roles", { params: { path: { tenant } } })),
    enabled: may("users:read"),
  });
}

/** All tokens for those who may see them, one's own for everybody else. */
export function useTokens() {
  const { tenant, me, may } = useSignedIn();
  const user = may("tokens:read") ? null : me.name;
  return useQuery({
    queryKey: keys.tokens(user),
    queryFn: () => sent(api.GET("/v1/{tenant}/tokens", { params: { path: { tenant }, query: { user } } })),
  });
}

export function useEvents(filter: EventFilter, limit = EVENTS_AT_ONCE) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: [...keys.events(filter), limit],
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/events", {
          params: {
            path: { tenant },
            query: { object_kind: filter.kind, object_id: filter.object, limit, cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: may("audit:read"),
  });
}

export interface Verified {
  verdict: Verification;
  at: Date;
}

/** The last verification of this tab, and the means to make another. It reads the whole trail, so nobody starts it but people. */
export function useVerification() {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  const last = useQuery<Verified | null>({
    queryKey: keys.verification,
    queryFn: () => null,
    initialData: null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const verify = useMutation({
    mutationFn: () => sent(api.POST("/v1/{tenant}/audit/verify", { params: { path: { tenant } } })),
    onSuccess: (verdict) => cache.setQueryData<Verified>(keys.verification, { verdict, at: new Date() }),
  });
  return { last: last.data, verify };
}
