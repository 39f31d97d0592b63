/**
 * Answers that stay true while somebody looks: what the live stream tells of is asked for anew, and where there is no stream
 * everything is, every few seconds.
 */
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
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
    for (const queryKey of touched) void cache.invalidateQueries({ queryKey });
  });
  return state === "live" ? false : WITHOUT_STREAM;
}
