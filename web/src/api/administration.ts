/**
 * What is changed of access, the tenant, runs and schedules, one hook each. Only granting and revoking a role is shown before the
 * server has agreed, and taken back when it does not.
 */
import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useSignedIn } from "../session/SignedIn";
import { refresh, useChange } from "./changes";
import { api, sent } from "./client";
import { keys } from "./keys";
import type { NewSchedule, NewUser, RoleDefinition, TenantChange, TokenRequest, User, UserChange, UserPage } from "./types";

export const useAddUser = () =>
  useChange([keys.users, keys.roles], (tenant, body: NewUser) =>
    sent(api.POST("/v1/{tenant}/users", { params: { path: { tenant } }, body })),
  );

export const useChangeUser = () =>
  useChange([keys.users], (tenant, { name, ...body }: UserChange & { name: string }) =>
    sent(api.PATCH("/v1/{tenant}/users/{name}", { params: { path: { tenant, name } }, body })),
  );

export const useSetActive = () =>
  useChange([keys.users, keys.me], (tenant, { name, active }: { name: string; active: boolean }) =>
    sent(
      active
        ? api.POST("/v1/{tenant}/users/{name}/reactivate", { params: { path: { tenant, name } } })
        : api.POST("/v1/{tenant}/users/{name}/deactivate", { params: { path: { tenant, name } } }),
    ),
  );

export interface RoleGrant {
  name: string;
  role: string;
  granted: boolean;
}

export function useSetRole() {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ name, role, granted }: RoleGrant) => {
      const params = { path: { tenant, name, role } };
      return sent(
        granted
          ? api.PUT("/v1/{tenant}/users/{name}/roles/{role}", { params })
          : api.DELETE("/v1/{tenant}/users/{name}/roles/{role}", { params }),
      );
    },
    onMutate: async (grant) => {
      // An answer that is on its way would undo the tick; the tick itself does not wait for that to stop.
      const stopped = cache.cancelQueries({ queryKey: keys.users }, { revert: false });
      const before = cache.getQueryData<UserPages>(keys.users);
      cache.setQueryData<UserPages>(keys.users, (pages) => withRole(pages, grant));
      await stopped;
      return { before };
    },
    onError: (_problem, _grant, context) => cache.setQueryData(keys.users, context?.before),
    onSettled: () => refresh(cache, [keys.users, keys.roles, keys.me, keys.allEvents]),
  });
}

export const useDefineRole = () =>
  useChange([keys.roles, keys.me], (tenant, { name, ...body }: RoleDefinition & { name: string }) =>
    sent(api.PUT("/v1/{tenant}/roles/{name}", { params: { path: { tenant, name } }, body })),
  );

export const useDeleteRole = () =>
  useChange([keys.roles], (tenant, name: string) =>
    sent(api.DELETE("/v1/{tenant}/roles/{name}", { params: { path: { tenant, name } } })),
  );

export function useCreateToken() {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: TokenRequest) =>
      sent(api.POST("/v1/{tenant}/tokens", { params: { path: { tenant } }, body })),
    // The answer holds the secret: it is gone from memory as soon as nobody shows it.
    gcTime: 0,
    onSettled: () => refresh(cache, [keys.allTokens, keys.allEvents]),
  });
}

export const useRevokeToken = () =>
  useChange([keys.allTokens], (tenant, token_id: string) =>
    sent(api.DELETE("/v1/{tenant}/tokens/{token_id}", { params: { path: { tenant, token_id } } })),
  );

export const useChangeTenant = () =>
  useChange([keys.tenant], (tenant, body: TenantChange) =>
    sent(api.PATCH("/v1/{tenant}", { params: { path: { tenant } }, body })),
  );

export const useCancelRun = () =>
  useChange([keys.allRuns], (tenant, { run_id, reason }: { run_id: string; reason: string }) =>
    sent(api.POST("/v1/{tenant}/runs/{run_id}/cancel", { params: { path: { tenant, run_id } }, body: { reason } })),
  );

export const useRetryRun = () =>
  useChange([keys.allRuns], (tenant, run_id: string) =>
    sent(api.POST("/v1/{tenant}/runs/{run_id}/retry", { params: { path: { tenant, run_id } } })),
  );

export const useResumePrefix = () =>
  useChange([keys.allRuns], (tenant, prefix: string) =>
    sent(api.DELETE("/v1/{tenant}/runs/pauses/{prefix}", { params: { path: { tenant, prefix } } })),
  );

export const useCreateSchedule = () =>
  useChange([keys.allSchedules], (tenant, body: NewSchedule) =>
    sent(api.POST("/v1/{tenant}/schedules", { params: { path: { tenant } }, body })),
  );

export const useSetPaused = () =>
  useChange([keys.allSchedules], (tenant, { name, paused }: { name: string; paused: boolean }) =>
    sent(
      paused
        ? api.POST("/v1/{tenant}/schedules/{name}/pause", { params: { path: { tenant, name } } })
        : api.POST("/v1/{tenant}/schedules/{name}/resume", { params: { path: { tenant, name } } }),
    ),
  );

export const useFireSchedule = () =>
  useChange([keys.allSchedules, keys.allRuns], (tenant, name: string) =>
    sent(api.POST("/v1/{tenant}/schedules/{name}/fire", { params: { path: { tenant, name } } })),
  );

export const useDeleteSchedule = () =>
  useChange([keys.allSchedules], (tenant, name: string) =>
    sent(api.DELETE("/v1/{tenant}/schedules/{name}", { params: { path: { tenant, name } } })),
  );

type UserPages = InfiniteData<UserPage, string | null>;

function withRole(pages: UserPages | undefined, { name, role, granted }: RoleGrant): UserPages | undefined {
  if (!pages) return pages;
  const changed = (user: User): User => {
    if (user.name !== name) return user;
    const others = user.roles.filter((held) => held !== role);
    return { ...user, roles: granted ? [...others, role].sort() : others };
  };
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map(changed) })) };
}
