import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stringify } from "../json/json";
import { publicPart } from "./LiveProvider";
import { liveAddress, type LiveEvent, type LiveState, type News } from "./protocol";
import { type Live, shareLive } from "./shared";
import { openStream, type StreamTimes } from "./stream";

const QUICK: StreamTimes = { pause: 2, longestPause: 20, triesBeforePolling: 3, poll: 10, silence: 5_000 };

/** A server whose stream the test holds in its hands. */
class Desk {
  asked: IncomingMessage[] = [];
  open = new Set<ServerResponse>();
  /** What is answered instead of a stream. */
  refuse: number | null = null;
  server: Server = createServer((request, response) => {
    this.asked.push(request);
    if (this.refuse !== null) return response.writeHead(this.refuse).end();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": hello\n\n");
    this.open.add(response);
    response.on("close", () => this.open.delete(response));
  });

  address = () => `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/live`;
  say(id: string, topic = "inbox", object = `{"id":"${id}"}`) {
    for (const each of this.open) each.write(`id: ${id}\ndata: {"id":"${id}","topic":"${topic}","kind":"changed","object":${object}}\n\n`);
  }
  resync() {
    for (const each of this.open) each.write("event: resync\ndata: {}\n\n");
  }
  cut() {
    for (const each of this.open) each.destroy();
  }
  lastIds = () => this.asked.map((request) => request.headers["last-event-id"]);
}

let desk: Desk;
const cleanups: (() => void)[] = [];

beforeEach(async () => {
  desk = new Desk();
  await new Promise<void>((resolve) => desk.server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  for (const clean of cleanups.splice(0)) clean();
  desk.server.closeAllConnections();
  await new Promise((resolve) => desk.server.close(resolve));
});

const until = (condition: () => unknown) => vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout: 4_000, interval: 3 });

describe("a stream", () => {
  const follow = (more: Partial<Parameters<typeof openStream>[0]> = {}) => {
    const seen: string[] = [];
    const states: LiveState[] = [];
    const refusals: number[] = [];
    let missed = 0;
    const stream = openStream({
      address: desk.address,
      headers: () => ({ Authorization: "Bearer hf_x" }),
      onMessage: ({ event, data }) => seen.push(event ?? data),
      onMissed: () => missed++,
      onState: (state) => states.push(state),
      onRefused: (status) => refusals.push(status),
      times: QUICK,
      ...more,
    });
    cleanups.push(stream.close);
    return { seen, states, refusals, stream, missed: () => missed };
  };

  test("carries the credential and hands on what it is told", async () => {
    const { seen, states } = follow();
    await until(() => desk.open.size === 1);
    desk.say("1");
    await until(() => seen.length === 1);
    expect(desk.asked[0]?.headers).toMatchObject({ authorization: "Bearer hf_x", accept: "text/event-stream" });
    expect(states).toEqual(["connecting", "live"]);
  });

  test("that is cut goes on after the last event, and says so", async () => {
    const { seen, states, missed } = follow();
    await until(() => desk.open.size === 1);
    desk.say("41");
    await until(() => seen.length === 1);
    desk.cut();
    await until(() => desk.lastIds().includes("41"));
    await until(() => states.at(-1) === "live");
    expect(states).toEqual(["connecting", "live", "reconnecting", "live"]);
    // Once, at its beginning; what happened during the cut is told.
    expect(missed()).toBe(1);
  });

  test("that begins asks for what was read just before it anew: nobody was told what happened between", async () => {
    const { states, missed, stream } = follow();
    await until(() => states.at(-1) === "live");
    expect(missed()).toBe(1);
    stream.renew();
    await until(() => desk.asked.length === 2 && missed() === 2);
    expect(desk.lastIds()).toEqual([undefined, undefined]);
  });

  test("that is cut before any event asks for everything anew", async () => {
    const { states, missed } = follow();
    await until(() => states.at(-1) === "live");
    desk.cut();
    await until(() => missed() === 2);
    expect(desk.lastIds()).toEqual([undefined, undefined]);
  });

  test("that cannot be had becomes polling, until it can be had again", async () => {
    desk.refuse = 503;
    const { states, missed } = follow();
    await until(() => states.at(-1) === "polling" && missed() >= 2);
    desk.refuse = null;
    await until(() => states.at(-1) === "live");
    const then = missed();
    desk.say("1");
    expect(states).toEqual(["connecting", "reconnecting", "polling", "live"]);
    expect(then).toBeGreaterThanOrEqual(3);
  });

  test("of a server without one is polling at once, and is tried rarely", async () => {
    desk.refuse = 404;
    const { states, missed } = follow({ times: { ...QUICK, longestPause: 60_000 } });
    await until(() => missed() >= 2);
    expect([states, desk.asked.length]).toEqual([["connecting", "polling"], 1]);
  });

  test("ends when the credential is refused", async () => {
    desk.refuse = 401;
    const { states, refusals } = follow();
    await until(() => states.at(-1) === "stopped");
    expect([refusals, desk.asked.length]).toEqual([[401], 1]);
  });

  test("that falls silent is taken for dead", async () => {
    const { states } = follow({ times: { ...QUICK, silence: 30 } });
    await until(() => desk.asked.length >= 2);
    expect(states.slice(0, 3)).toEqual(["connecting", "live", "reconnecting"]);
  });

  test("is let go when nobody wants it", async () => {
    const { stream, states } = follow();
    await until(() => desk.open.size === 1);
    stream.close();
    await until(() => desk.open.size === 0);
    expect(states.at(-1)).toBe("stopped");
  });
});

/** Web Locks as a browser has them: one holder, the others wait in line. */
class Locks {
  line: (() => Promise<unknown>)[] = [];
  held = false;
  request = (async (_name: string, options: LockOptions, work: () => Promise<unknown>) => {
    await new Promise<void>((resolve, reject) => {
      const enter = async () => {
        resolve();
        await work();
        this.held = false;
        this.next();
      };
      this.line.push(enter);
      options.signal?.addEventListener("abort", () => {
        if (!this.line.includes(enter)) return;
        this.line.splice(this.line.indexOf(enter), 1);
        reject(new DOMException("gone", "AbortError"));
      });
      this.next();
    });
  }) as unknown as LockManager["request"];
  next() {
    if (this.held) return;
    const enter = this.line.shift();
    if (!enter) return;
    this.held = true;
    void enter();
  }
}

describe("the tabs of a browser", () => {
  let locks: Locks;
  beforeEach(() => (locks = new Locks()));

  const tab = (topics: readonly string[] = ["inbox"], scope = desk.address()) => {
    const news: LiveEvent[] = [];
    let anew = 0;
    const live = shareLive({
      scope,
      locks,
      poll: QUICK.poll,
      channel: (name) => new BroadcastChannel(name),
      open: ({ topics: wanted, ...rest }) =>
        openStream({ ...rest, address: () => liveAddress(desk.address(), wanted()), headers: () => ({}), times: QUICK }),
    });
    live.listen(topics, (each) => (each === "resync" ? anew++ : news.push(each)));
    cleanups.push(live.close);
    return { live, news, anew: () => anew, ids: () => news.map(({ id }) => id) };
  };

  test("share one stream, and every digit of what it brings", async () => {
    const [one, two, three] = [tab(), tab(), tab()];
    await until(() => [one, two, three].every(({ live }) => live.state() === "live"));
    desk.say("1", "inbox", '{"total":12500.10,"rate":0.100000000000000001}');
    await until(() => [one, two, three].every(({ news }) => news.length === 1));
    expect(desk.open.size).toBe(1);
    expect(stringify(three.news[0]?.object)).toBe('{"total":12500.10,"rate":0.100000000000000001}');
  });

  test("lose nothing and hear nothing twice when the one that reads is closed", async () => {
    const [one, two] = [tab(), tab()];
    await until(() => two.live.state() === "live");
    desk.say("1");
    await until(() => two.news.length === 1);
    one.live.close();
    await until(() => desk.lastIds().includes("1") && desk.open.size === 1);
    await until(() => two.live.state() === "live");
    // The server resumes a little too early: what was told already is not told again.
    desk.say("1");
    desk.say("2");
    await until(() => two.news.length === 2);
    expect(two.ids()).toEqual(["1", "2"]);
  });

  test("have no stream of nothing: it begins when one of them listens", async () => {
    const live = shareLive({
      scope: desk.address(),
      locks,
      poll: QUICK.poll,
      channel: (name) => new BroadcastChannel(name),
      open: ({ topics: wanted, ...rest }) =>
        openStream({ ...rest, address: () => liveAddress(desk.address(), wanted()), headers: () => ({}), times: QUICK }),
    });
    cleanups.push(live.close);
    const second = tab(["runs"]);
    await until(() => second.live.state() === "live");
    expect(desk.asked.map(({ url }) => url)).toEqual(["/live?topics=runs"]);
  });

  test("that opened later resume as well, from where the others were", async () => {
    const one = tab();
    await until(() => one.live.state() === "live");
    desk.say("7");
    await until(() => one.news.length === 1);
    const late = tab();
    await until(() => late.live.state() === "live");
    one.live.close();
    await until(() => desk.lastIds().at(-1) === "7");
  });

  test("get the topics that any of them wants, each only its own", async () => {
    const inbox = tab(["inbox"]);
    await until(() => inbox.live.state() === "live");
    const runs = tab(["runs", "documents"]);
    await until(() => desk.asked.some(({ url }) => url?.endsWith("topics=documents,inbox,runs")) && desk.open.size === 1);
    desk.say("1", "runs");
    desk.say("2", "inbox");
    await until(() => inbox.news.length === 1 && runs.news.length === 1);
    expect([inbox.ids(), runs.ids()]).toEqual([["2"], ["1"]]);
  });

  test("are all told to ask anew, and all see that the connection is cut", async () => {
    const [one, two] = [tab(), tab()];
    await until(() => two.live.state() === "live");
    const before = [one.anew(), two.anew()] as const;
    desk.resync();
    await until(() => one.anew() > before[0] && two.anew() > before[1]);
    desk.refuse = 503;
    desk.cut();
    await until(() => one.live.state() !== "live" && two.live.state() !== "live");
    desk.refuse = null;
    await until(() => one.live.state() === "live" && two.live.state() === "live");
  });

  test("of another credential share nothing", async () => {
    const other = new Locks();
    const [one, two] = [tab(["inbox"], "a"), ((locks = other), tab(["inbox"], "b"))];
    await until(() => one.live.state() === "live" && two.live.state() === "live");
    expect(desk.open.size).toBe(2);
    expect(publicPart(`holdfast_${"0a".repeat(16)}_${"s".repeat(49)}`)).toBe("0a".repeat(16));
  });

  test("ask from time to time where there are no locks", async () => {
    const news: News[] = [];
    const live: Live = shareLive({ scope: "x", poll: 5, open: () => expect.fail("no stream") });
    cleanups.push(live.close);
    live.listen(["inbox"], (each) => news.push(each));
    await until(() => news.length >= 2);
    expect([live.state(), news[0]]).toEqual(["polling", "resync"]);
  });
});
