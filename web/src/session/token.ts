/** Tokens as text: taking one out of an address or out of what somebody pasted. */

const FORM = /holdfast_[0-9a-f]{32}_[A-Za-z0-9]{49}(?![A-Za-z0-9])/;
const FRAGMENT = /^#?token=/;
const LINK = /^#?sign-in=(holdfast_[0-9a-f]{32}_[A-Za-z0-9]{49})$/;

/** Stands for a token where the browser keeps a cookie that no script can read. */
export const COOKIE = "cookie";

/** The header that brings a token; the browser brings its cookie by itself. */
export const credentials = (token: string): Record<string, string> =>
  token === COOKIE ? {} : { Authorization: `Bearer ${token}` };

/** The secret of a mailed link, or null when the fragment is none. */
export const linkOfFragment = (fragment: string): string | null => LINK.exec(fragment)?.[1] ?? null;

/** The token in what was pasted: the token itself, or the whole sign-in address that the command line printed. */
export function tokenIn(pasted: string): string | null {
  return FORM.exec(pasted)?.[0] ?? null;
}

/** The value of a `#token=…` fragment, whole or not, or null when the fragment is something else. */
export function tokenOfFragment(fragment: string): string | null {
  if (!FRAGMENT.test(fragment)) return null;
  const value = fragment.replace(FRAGMENT, "");
  try {
    return decodeURIComponent(value).trim();
  } catch {
    return value.trim();
  }
}
