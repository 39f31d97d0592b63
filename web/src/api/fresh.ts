/**
 * Answers that stay true while somebody looks: what the live stream tells of is asked for anew, and where there is no stream
 * everything is, every few seconds.
 */
import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useLive, useLiveState } from "../live/LiveProvider";
import { keys } from "./keys";

export type Topic = "inbox" | "documents" | "processes";

/** What may have changed when something of a topic did: a decision moves a process, and a process a document; messages come by the inbox. */
const TOUCHED: Readonly<Record<Topic, readonly QueryKey[]>> = {
  inbox: [keys.allPeople, keys.allProcesses],
  documents: [keys.allDocuments, keys.allPeople],
  processes: [keys.allProcesses, keys.allDocuments, keys.allPeople],
};
const WITHOUT_STREAM = 3_000;

/** Listens while the page is there. Gives how often to ask where nobody tells. */
export function useFresh(topics: readonly Topic[]): number | false {
  const cache = useQueryClient();
  const state = useLiveState();
  useLive(topics, (news) => {
    const touched = news === "resync" ? topics.flatMap((topic) => TOUCHED[topic]) : TOUCHED[news.topic as Topic];
    askAnew(cache, touched);
  });
  return state === "live" ? false : WITHOUT_STREAM;
}

const wanted = new Map<QueryClient, Set<QueryKey>>();

/** Several parts of a page hear of one thing at once: what it touched is asked for once. */
function askAnew(cache: QueryClient, touched: readonly QueryKey[]): void {
  const waiting = wanted.get(cache);
  if (waiting) {
    for (const key of touched) waiting.add(key);
    return;
  }
  wanted.set(cache, new Set(touched));
  queueMicrotask(() => {
    const asked = wanted.get(cache) ?? [];
    wanted.delete(cache);
    for (const queryKey of asked) {
      // The first answer may be on its way, and from before: it is not given up for another, it is followed by one.
      for (const query of cache.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })) {
        if (query.state.data === undefined) void query.promise?.then(() => cache.invalidateQueries({ queryKey: query.queryKey, exact: true }), () => undefined);
      }
      void cache.invalidateQueries({ queryKey });
    }
  });
}
