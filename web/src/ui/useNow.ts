/** The present, renewed every half minute for everybody at once, so that "3 minutes ago" stays true. */
import { useSyncExternalStore } from "react";

const PERIOD = 30_000;
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(() => {
      now = new Date();
      for (const each of listeners) each();
    }, PERIOD);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now);
}
