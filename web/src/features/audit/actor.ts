/** Who did something, as the trail names them. */
export interface ActorName {
  kind: string;
  name: string;
}

/** `user:ana` is the user ana. */
export function actorName(actor: string): ActorName {
  const at = actor.indexOf(":");
  return at < 0 ? { kind: "user", name: actor } : { kind: actor.slice(0, at), name: actor.slice(at + 1) };
}
