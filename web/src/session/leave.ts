/** Signing out: what the browser kept ends at the server too, for everybody who might have it. */
import { api } from "../api/client";
import { session } from "./store";
import { COOKIE } from "./token";

export async function leave(): Promise<void> {
  // Whatever the server says: whoever leaves is not shown anything more here.
  if (session.get().token === COOKIE) await api.POST("/auth/sign-out").catch(() => undefined);
  session.end("signed_out");
}
