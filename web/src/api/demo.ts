/** The demo's switch between people. It is there only on the machine where the demo runs; anywhere else the server knows nothing of it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { session } from "../session/store";
import { api, sent } from "./client";
import { keys } from "./keys";
import { asProblem } from "./problem";

/** Between whom one can switch; nobody where there is no demo. */
export function useDemoPeople() {
  return useQuery({
    queryKey: keys.demo,
    queryFn: () =>
      sent(api.GET("/v1/demo/people", {})).catch((error: unknown) => {
        if ([403, 404].includes(asProblem(error).status)) return [];
        throw error;
      }),
    staleTime: Infinity,
    retry: false,
  });
}

/** Be somebody else of the demo: another token, and with it another session of this tab. */
export function useDemoSwitch() {
  return useMutation({
    mutationFn: (user: string) => sent(api.POST("/v1/demo/sign-in", { body: { user } })),
    onSuccess: ({ secret }) => session.start(secret),
  });
}
