// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { draw } from "../testing/render";
import { LiveBadge } from "./LiveBadge";
import { LiveProvider, useLive } from "./LiveProvider";
import type { LiveState, News } from "./protocol";
import type { Live } from "./shared";

/** A stream whose state the test decides. */
function stream(first: LiveState) {
  const listeners = new Set<() => void>();
  let told: ((news: News) => void) | null = null;
  let state = first;
  const live = {
    state: () => state,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listen: vi.fn((_topics: readonly string[], listener: (news: News) => void) => {
      told = listener;
      return () => (told = null);
    }),
    wake: vi.fn(),
    close: vi.fn(),
  } satisfies Live;
  const become = (next: LiveState) =>
    act(() => {
      state = next;
      for (const listener of listeners) listener();
    });
  return { live, become, tell: (news: News) => told?.(news) };
}

const badge = (make: () => Live) => (
  <LiveProvider make={make}>
    <LiveBadge />
  </LiveProvider>
);

test.each<LiveState>(["connecting", "live", "stopped"])("nothing is said while it is %s", (state) => {
  const { live } = stream(state);
  draw(badge(() => live));
  expect(screen.getByRole("status").textContent).toBe("");
});

test("a cut connection is said where it is heard, and no longer once it is back", () => {
  const { live, become } = stream("live");
  const make = () => live;
  draw(badge(make));
  become("reconnecting");
  expect(screen.getByRole("status").textContent).toBe("Reconnecting …");
  become("polling");
  expect(screen.getByRole("status").textContent).toBe("Renewed every few seconds");
  become("live");
  expect(screen.getByRole("status").textContent).toBe("");
});

test("the stream is tried at once when the network is back, and closed when the page goes", () => {
  const { live } = stream("reconnecting");
  const { unmount } = draw(badge(() => live));
  act(() => void window.dispatchEvent(new Event("online")));
  expect(live.wake).toHaveBeenCalledOnce();
  expect(live.close).not.toHaveBeenCalled();
  unmount();
  expect(live.close).toHaveBeenCalledOnce();
});

test("news of a topic reach the component as it is now, and nobody after it is gone", () => {
  const { live, tell } = stream("live");
  const make = () => live;
  const heard: string[] = [];
  function Listener({ name }: { name: string }) {
    useLive(["runs"], () => heard.push(name));
    return null;
  }
  const framed = (name: string) => (
    <LiveProvider make={make}>
      <Listener name={name} />
    </LiveProvider>
  );
  const { redraw, unmount } = draw(framed("first"));
  expect(live.listen).toHaveBeenCalledWith(["runs"], expect.anything());
  redraw(framed("second"));
  tell("resync");
  expect(heard).toEqual(["second"]);
  unmount();
  tell("resync");
  expect(heard).toEqual(["second"]);
});
