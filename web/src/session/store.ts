/**
 * Who is signed in on this tab: the token, kept in sessionStorage (it ends with the tab and is not sent along by the browser),
 * or that the browser keeps a cookie (`COOKIE`), and why the last session ended. A secret in the address is taken at once and wiped from the address
 * and the history.
 */
import { linkOfFragment, tokenOfFragment } from "./token";

export type Ending = "refused" | "signed_out" | "over" | "failed" | null;

export interface Session {
  token: string | null;
  ending: Ending;
  /** The token of a sign-in address that was opened while somebody was signed in: they are asked. */
  offered?: string;
  /** The secret of a mailed link that was opened: it waits for a click. */
  link?: string;
}

const KEY = "holdfast.token";
const listeners = new Set<() => void>();
let current: Session = { token: read(), ending: null };

export const session = {
  get: (): Session => current,

  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  start: (token: string): void => {
    store(token);
    change({ token, ending: null });
  },

  end: (ending: Ending): void => {
    store(null);
    change({ token: null, ending });
  },

  offer: (offered: string): void => change({ ...current, offered }),

  follow: (link: string): void => change({ token: null, ending: null, link }),

  decline: (): void => change({ token: current.token, ending: current.ending }),
};

/** Takes the token of a sign-in address, if the address is one. Whoever is signed in is asked first. */
export function takeTokenFromAddress(): void {
  const fragment = window.location.hash;
  const token = tokenOfFragment(fragment);
  const link = linkOfFragment(fragment);
  const failed = fragment === "#sign-in-failed";
  if (token === null && link === null && !failed) return;
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  if (token === null) {
    if (current.token !== null) return;
    if (link === null) session.end("failed");
    else session.follow(link);
    return;
  }
  if (current.token !== null) {
    if (token && token !== current.token) session.offer(token);
  } else if (token) session.start(token);
  else session.end("refused");
}

function change(next: Session): void {
  current = next;
  for (const listener of listeners) listener();
}

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  } catch {
    // Storage is switched off: the session then lives as long as the page.
  }
}
