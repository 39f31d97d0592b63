/**
 * One connection to the live stream, for as long as somebody wants it: read with `fetch`, so that it carries the credential,
 * resumed where it was cut, tried again with growing pauses. While it cannot be had, everything is asked for anew from time to
 * time. It hands on the messages as they came; what they mean is `protocol.ts`.
 */
import { createParser } from "eventsource-parser";
import type { LiveState, Message } from "./protocol";

export interface StreamTimes {
  /** The first pause after a cut, and the longest. */
  pause: number;
  longestPause: number;
  /** After so many tries without a word, everything is asked for anew every `poll`. */
  triesBeforePolling: number;
  poll: number;
  /** A stream that says nothing for so long, not even a comment, is dead. */
  silence: number;
}

export const TIMES: StreamTimes = { pause: 500, longestPause: 30_000, triesBeforePolling: 3, poll: 15_000, silence: 45_000 };

export interface StreamOptions {
  /** The address to ask, made anew for each try. */
  address: () => string;
  headers: () => Record<string, string>;
  lastId?: string | undefined;
  onMessage: (message: Message) => void;
  /** Something may have been missed: what is on the screen should be asked for anew. */
  onMissed: () => void;
  onState: (state: LiveState) => void;
  /** The credential was refused: nothing is tried again. */
  onRefused?: (status: number) => void;
  fetch?: typeof fetch;
  random?: () => number;
  times?: StreamTimes;
}

export interface Stream {
  close: () => void;
  /** Connects anew now: other topics are wanted, or the network came back. */
  renew: () => void;
}

/** Answers that will not become a stream by asking soon again. */
const NO_STREAM = new Set([404, 405, 406, 410, 501]);
const REFUSED = new Set([401, 403]);

type Ending = "cut" | "no_stream" | "refused";

export function openStream(options: StreamOptions): Stream {
  const { address, headers, onMessage, onMissed, onRefused, fetch: ask = fetch, random = Math.random, times = TIMES } = options;
  let { lastId } = options;
  const ended = new AbortController();
  const isClosed = () => ended.signal.aborted;
  let told: LiveState | undefined;
  let tries = 0;
  /** Whether this connection goes on where another was, and whether it has said anything yet. */
  let resumed = false;
  let heard = false;
  let asked: number | undefined;
  let connection = new AbortController();
  let wake: () => void = () => undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const tell = (state: LiveState) => {
    if (state === "polling") poll ??= setInterval(onMissed, times.poll);
    else if (state === "live" || state === "stopped") {
      clearInterval(poll);
      poll = undefined;
    }
    if (told !== state) options.onState((told = state));
  };

  const alive = () => {
    if (isClosed()) return;
    // What happened before a stream that begins anew was told to nobody: also what a page read just before it was open.
    const missed = (!heard && !resumed) || told === "polling";
    tries = 0;
    heard = true;
    tell("live");
    if (missed) onMissed();
  };

  async function connect(signal: AbortSignal): Promise<Ending> {
    resumed = lastId !== undefined;
    heard = false;
    const answer = await ask(address(), {
      headers: { ...headers(), Accept: "text/event-stream", ...(lastId !== undefined && { "Last-Event-ID": lastId }) },
      cache: "no-store",
      signal,
    });
    if (REFUSED.has(answer.status)) {
      onRefused?.(answer.status);
      return "refused";
    }
    const streams = answer.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    if (!answer.ok || !streams || !answer.body) {
      await answer.body?.cancel();
      return NO_STREAM.has(answer.status) || (answer.ok && !streams) ? "no_stream" : "cut";
    }
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        alive();
        // An empty id takes nothing back: it says that this message has none.
        if (id) lastId = id;
        if (event === "resync") lastId = id;
        onMessage({ id, event, data });
      },
      onComment: alive,
      onRetry: (pause) => (asked = pause),
    });
    const decoder = new TextDecoder();
    const reader = answer.body.getReader();
    for (;;) {
      const { value, done } = await withinSilence(reader.read());
      if (done) return "cut";
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  async function withinSilence<Value>(reading: Promise<Value>): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("silent")), times.silence);
    });
    return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
  }

  function pauseBefore(ending: Ending): number {
    if (ending === "no_stream") return times.longestPause;
    const grown = Math.min(times.longestPause, (asked ?? times.pause) * 2 ** Math.min(tries - 1, 10));
    // Spread, so that a thousand tabs do not come back in the same moment.
    return grown * (0.5 + random() / 2);
  }

  async function run(): Promise<void> {
    tell("connecting");
    while (!isClosed()) {
      connection = new AbortController();
      const { signal } = connection;
      const ending = await connect(signal).catch((): Ending => "cut");
      const renewed = signal.aborted;
      connection.abort();
      if (isClosed() || ending === "refused") break;
      if (renewed) continue;
      tries += 1;
      tell(ending === "no_stream" || tries > times.triesBeforePolling ? "polling" : told === "polling" ? "polling" : "reconnecting");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseBefore(ending));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    tell("stopped");
  }

  void run();
  return {
    close: () => {
      ended.abort();
      connection.abort();
      wake();
      tell("stopped");
    },
    renew: () => {
      connection.abort();
      wake();
    },
  };
}
