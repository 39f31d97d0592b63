/** The live stream for React: one for the whole console, made when somebody signs in and closed when they leave. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { session } from "../session/store";
import { COOKIE, credentials } from "../session/token";
import { liveAddress, type LiveState, type News } from "./protocol";
import { type Live, shareLive } from "./shared";
import { openStream, TIMES } from "./stream";

const Context = createContext<Live | null>(null);

/** The part of a token that names it and is no secret. */
export function publicPart(token: string): string {
  return /^holdfast_([0-9a-f]{32})_/.exec(token)?.[1] ?? "unknown";
}

export function browserLive(tenant: string, token: string): Live {
  const base = `/v1/${encodeURIComponent(tenant)}/live`;
  return shareLive({
    scope: `${tenant}.${publicPart(token)}`,
    poll: TIMES.poll,
    // Both are missing where the page is not served securely.
    locks: "locks" in navigator ? navigator.locks : undefined,
    channel: "BroadcastChannel" in window ? (name) => new BroadcastChannel(name) : undefined,
    onRefused: (status) => {
      if (status === 401 && session.get().token === token) session.end(token === COOKIE ? "over" : "refused");
    },
    open: ({ topics, ...rest }) =>
      openStream({ ...rest, address: () => liveAddress(base, topics()), headers: () => credentials(token) }),
  });
}

/** `make` must be the same function for the same session; another one closes the stream of the one before. */
export function LiveProvider({ make, children }: { make: () => Live; children: ReactNode }) {
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    const made = make();
    // eslint-disable-next-line react-hooks/set-state-in-effect -- a connection is opened here and nowhere else, or two would be
    setLive(made);
    const wake = () => made.wake();
    const close = () => made.close();
    window.addEventListener("online", wake);
    window.addEventListener("pagehide", close);
    return () => {
      window.removeEventListener("online", wake);
      window.removeEventListener("pagehide", close);
      close();
    };
  }, [make]);
  return <Context.Provider value={live}>{children}</Context.Provider>;
}

/** Calls `onNews` for each event of the topics, and with "resync" when everything should be asked for anew. */
export function useLive(topics: readonly string[], onNews: (news: News) => void): void {
  const live = useContext(Context);
  const told = useRef(onNews);
  useEffect(() => {
    told.current = onNews;
  });
  const wanted = topics.join(",");
  useEffect(() => live?.listen(wanted.split(","), (news) => told.current(news)), [live, wanted]);
}

const NEVER = () => () => undefined;

export function useLiveState(): LiveState {
  const live = useContext(Context);
  return useSyncExternalStore(
    useCallback((changed: () => void) => (live ? live.onState(changed) : NEVER()), [live]),
    () => live?.state() ?? "connecting",
  );
}
