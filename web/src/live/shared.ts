/**
 * One stream for all tabs of a browser: over HTTP/1.1 a host gets six connections, and seven tabs would stop each other. The
 * tabs elect one by a Web Lock; it reads the stream and passes every message on. When it goes, the browser gives the lock to
 * the next, which resumes after the last message that any tab saw. Tabs of different credentials share nothing.
 */
import { type LiveState, type Message, type News, newsOf } from "./protocol";
import type { Stream, StreamOptions } from "./stream";

/** What tabs tell each other. Messages travel as text: digits would be lost in any other clothes. */
type Said =
  | { kind: "message"; message: Message }
  | { kind: "missed" }
  | { kind: "state"; state: LiveState; lastId: string | undefined }
  | { kind: "wanted"; tab: string; topics: readonly string[] }
  | { kind: "gone"; tab: string }
  | { kind: "who" };

export interface Channel {
  postMessage: (said: unknown) => void;
  onmessage: ((event: MessageEvent) => void) | null;
  close: () => void;
}

export interface SharedOptions {
  /** What may be shared: the same server, tenant and credential. Never the secret itself: names of locks can be read. */
  scope: string;
  open: (options: Pick<StreamOptions, "lastId" | "onMessage" | "onMissed" | "onState" | "onRefused"> & { topics: () => readonly string[] }) => Stream;
  onRefused?: (status: number) => void;
  locks?: Pick<LockManager, "request"> | undefined;
  channel?: ((name: string) => Channel) | undefined;
  /** How often everything is asked for anew where tabs cannot find each other. */
  poll: number;
}

type Listener = (news: News) => void;

export interface Live {
  state: () => LiveState;
  onState: (listener: () => void) => () => void;
  /** Listens to topics until the answer is called. */
  listen: (topics: readonly string[], listener: Listener) => () => void;
  /** The network came back: try now. */
  wake: () => void;
  close: () => void;
}

/** Messages already told are not told again when another tab resumes a little earlier. */
const REMEMBERED = 500;

export function shareLive({ scope, open, onRefused, locks, channel: channelOf, poll }: SharedOptions): Live {
  const tab = Math.random().toString(36).slice(2);
  const name = `holdfast.live.${scope}`;
  const listeners = new Set<{ topics: readonly string[]; listener: Listener }>();
  const stateListeners = new Set<() => void>();
  const elsewhere = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  const ended = new AbortController();
  const channel = locks && channelOf ? channelOf(name) : undefined;
  let state: LiveState = "connecting";
  let lastId: string | undefined;
  let leads = false;
  let stream: Stream | undefined;
  let streamed: readonly string[] = [];
  let release: () => void = () => undefined;

  const say = (said: Said) => {
    if (!ended.signal.aborted) channel?.postMessage(said);
  };
  const ownTopics = () => [...new Set([...listeners].flatMap(({ topics }) => topics))].sort();
  const allTopics = () => [...new Set([...ownTopics(), ...[...elsewhere.values()].flat()])].sort();

  const setState = (next: LiveState) => {
    if (next === state) return;
    state = next;
    for (const listener of stateListeners) listener();
  };

  const tell = (news: News) => {
    for (const { topics, listener } of [...listeners]) {
      if (news === "resync" || topics.includes(news.topic)) listener(news);
    }
  };

  const take = (message: Message) => {
    const news = newsOf(message);
    if (message.id) lastId = message.id;
    if (news === null) return;
    if (news !== "resync" && news.id !== "") {
      if (seen.has(news.id)) return;
      seen.add(news.id);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value ?? "");
    }
    tell(news);
  };

  /** Other topics than the stream brings: connect anew. Fewer are let be until the next time; of none there is no stream. */
  const fit = () => {
    const topics = allTopics();
    if (!leads || topics.length === 0) return;
    if (!stream) begin();
    else if (!topics.every((topic) => streamed.includes(topic))) stream.renew();
  };

  const lead = () => {
    leads = true;
    say({ kind: "who" });
    fit();
  };

  const begin = () => {
    stream = open({
      lastId,
      topics: () => (streamed = allTopics()),
      onMessage: (message) => {
        take(message);
        say({ kind: "message", message });
      },
      onMissed: () => {
        tell("resync");
        say({ kind: "missed" });
      },
      onState: (next) => {
        setState(next);
        say({ kind: "state", state: next, lastId });
      },
      onRefused: (status) => onRefused?.(status),
    });
  };

  const hear = (said: Said) => {
    switch (said.kind) {
      case "message":
        take(said.message);
        return;
      case "missed":
        tell("resync");
        return;
      case "state":
        if (leads) return;
        lastId ??= said.lastId;
        // The one that leads ends, others go on: for them it is a cut.
        setState(said.state === "stopped" ? "reconnecting" : said.state);
        return;
      case "wanted":
        elsewhere.set(said.tab, said.topics);
        fit();
        if (leads) say({ kind: "state", state, lastId });
        return;
      case "gone":
        elsewhere.delete(said.tab);
        return;
      case "who":
        say({ kind: "wanted", tab, topics: ownTopics() });
    }
  };

  let timer: ReturnType<typeof setInterval> | undefined;
  if (channel && locks) {
    channel.onmessage = ({ data }) => hear(data as Said);
    say({ kind: "wanted", tab, topics: [] });
    locks
      .request(name, { signal: ended.signal }, () => {
        lead();
        return new Promise<void>((resolve) => (release = resolve));
      })
      .catch(() => undefined);
  } else {
    // Without locks (a page that is not served securely) each tab asks for itself: slower, but no tab starves another.
    state = "polling";
    timer = setInterval(() => tell("resync"), poll);
  }

  return {
    state: () => state,
    onState: (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    listen: (topics, listener) => {
      const entry = { topics, listener };
      listeners.add(entry);
      say({ kind: "wanted", tab, topics: ownTopics() });
      fit();
      return () => {
        listeners.delete(entry);
        say({ kind: "wanted", tab, topics: ownTopics() });
      };
    },
    wake: () => stream?.renew(),
    close: () => {
      if (ended.signal.aborted) return;
      say({ kind: "gone", tab });
      clearInterval(timer);
      leads = false;
      stream?.close();
      stream = undefined;
      ended.abort();
      release();
      channel?.close();
      setState("stopped");
    },
  };
}
