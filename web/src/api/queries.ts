/** Everything the console reads, one hook each. Hooks that need a permission ask only when it is there. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { EventFilter } from "../features/audit/filter";
import { asked, type RunFilter } from "../features/runs/filter";
import { useSignedIn } from "../session/SignedIn";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { Verification } from "./types";

const USERS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 50;
const RUNS_AT_ONCE = 50;
const SCHEDULES_AT_ONCE = 200;
const LIVE_PERIOD = 3_000;
/** Counting costs the server more than listing. */
const COUNT_PERIOD = 15_000;
/** Refreshing more pages than these over and over would cost more than it tells. */
const LIVE_PAGES = 3;

/** Every permission there is, with the server's description. */
export function usePermissionList() {
  return useQuery({
    queryKey: keys.permissions,
    queryFn: () => sent(api.GET("/v1/permissions")),
    staleTime: Infinity,
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

/** Runs, newest first; `live` asks again every few seconds while the tab is looked at. */
export function useRuns(filter: RunFilter, live: boolean) {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.runs(filter),
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/runs", {
          params: {
            path: { tenant },
            query: { ...asked(filter), limit: RUNS_AT_ONCE, cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (live && (state.data?.pages.length ?? 0) <= LIVE_PAGES ? LIVE_PERIOD : false),
    enabled: may("runs:read"),
  });
}

export function useRunStats(live: boolean) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.runStats,
    queryFn: () => sent(api.GET("/v1/{tenant}/runs/stats", { params: { path: { tenant } } })),
    refetchInterval: live ? COUNT_PERIOD : false,
    enabled: may("runs:read"),
  });
}

/**
 * How many runs the list shows that is narrowed to the same; it takes the right to do something about them. What can be
 * deleted is counted, which is all of them: those that were run again cannot be once more, but are in the list.
 */
export function useFailedRuns(since: string, every: number | false) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: [...keys.allRuns, "failed", since],
    queryFn: () => sent(api.POST("/v1/{tenant}/operations/count", { params: { path: { tenant } }, body: { kind: "runs.delete", filter: { status: "failed", since } } })),
    refetchInterval: every === false ? 60_000 : Math.max(every, 15_000),
    enabled: may("runs:operate"),
  });
}

export function usePauses() {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.pauses,
    queryFn: () => sent(api.GET("/v1/{tenant}/runs/pauses", { params: { path: { tenant } } })),
    enabled: may("runs:read"),
  });
}

/** One run with its steps and events; asked for again until it is finished. */
export function useRun(run_id: string) {
  const { tenant, may } = useSignedIn();
  return useQuery({
    queryKey: keys.run(run_id),
    queryFn: () => sent(api.GET("/v1/{tenant}/runs/{run_id}", { params: { path: { tenant, run_id } } })),
    refetchInterval: ({ state }) => (state.data?.run.finished_at === null ? LIVE_PERIOD : false),
    enabled: may("runs:read"),
  });
}

export function useSchedules() {
  const { tenant, may } = useSignedIn();
  return useInfiniteQuery({
    queryKey: keys.schedules,
    queryFn: ({ pageParam }) =>
      sent(
        api.GET("/v1/{tenant}/schedules", {
          params: { path: { tenant }, query: { limit: SCHEDULES_AT_ONCE, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 10 * LIVE_PERIOD,
    enabled: may("schedules:read"),
  });
}

/** The next fires of a schedule. */
export function useScheduleFires(name: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.scheduleFires(name),
    queryFn: () =>
      sent(api.GET("/v1/{tenant}/schedules/{name}/preview", { params: { path: { tenant, name }, query: { n: 8 } } })),
  });
}

/** The next fires an expression would have, for a form; what is wrong with it is the query's error. */
export function useCronFires(cron: string, timezone: string) {
  const { tenant } = useSignedIn();
  return useQuery({
    queryKey: keys.cronFires(cron, timezone),
    queryFn: () =>
      sent(
        api.POST("/v1/{tenant}/schedules/preview", {
          params: { path: { tenant }, query: { n: 5 } },
          body: { cron, timezone },
        }),
      ),
    enabled: cron !== "" && timezone !== "",
    retry: false,
    gcTime: 60_000,
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
