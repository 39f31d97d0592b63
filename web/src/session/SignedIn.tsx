/** What every page knows about the person in front of it: who they are, in which tenant, and what they may do. */
import { createContext, useContext } from "react";
import type { Me } from "../api/types";

export interface SignedIn {
  me: Me;
  tenant: string;
  may: (permission: string) => boolean;
}

const Context = createContext<SignedIn | null>(null);

export const SignedInProvider = Context.Provider;

export function signedIn(me: Me): SignedIn {
  const held = new Set(me.permissions);
  return { me, tenant: me.tenant, may: (permission) => held.has(permission) };
}

export function useSignedIn(): SignedIn {
  const value = useContext(Context);
  if (!value) throw new Error("useSignedIn is used outside of a session");
  return value;
}
