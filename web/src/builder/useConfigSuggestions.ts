/** What a field of a configuration offers: real people, roles, chains, rules, actions, and the values already in use. */
import { useCallback } from "react";
import { api, sent } from "../api/client";
import type { Place, Suggest } from "../forms/context";
import { useSignedIn } from "../session/SignedIn";

const AT_MOST = 50;

/** `actions` are the names of those there are. */
export function useConfigSuggestions(actions: readonly string[]): (place: Place) => Suggest | undefined {
  const { tenant, may } = useSignedIn();
  return useCallback(
    ({ field }: Place): Suggest | undefined => {
      const widget = field.schema["x-widget"];
      const source = field.schema["x-suggestions"];
      const params = { path: { tenant } };
      const matching = (names: readonly string[], typed: string) => names.filter((name) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, AT_MOST);
      if (widget === "action") return (typed) => Promise.resolve(matching(actions, typed));
      if (widget === "role" && may("users:read")) {
        return async (typed, signal) => matching((await sent(api.GET("/v1/{tenant}/roles", { params, signal }))).map(({ name }) => name), typed);
      }
      if (widget === "user" && may("users:read")) {
        return async (typed, signal) => matching((await sent(api.GET("/v1/{tenant}/users", { params: { ...params, query: { limit: 200 } }, signal }))).items.map(({ name }) => name), typed);
      }
      if (typeof source === "string") {
        return async (typed, signal) =>
          (await sent(api.GET("/v1/{tenant}/suggestions/{source}", { params: { path: { tenant, source }, query: { prefix: typed } }, signal }))).map(({ value }) => value);
      }
      return undefined;
    },
    [tenant, may, actions],
  );
}
