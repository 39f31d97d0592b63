/** Where a problem of the compiler belongs: its path names positions in the patch as it was sent, which is as it is here. */
import { edgeKey, type Patches } from "./patch";
import { patchAt, type Region } from "./regions";

export interface FoundProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly severity: string;
}

export interface PlacedProblem extends FoundProblem {
  readonly region: Region | null;
  readonly node: string | null;
  readonly edge: string | null;
  /** What of the step it is about, such as `config.timeout`. */
  readonly field: string;
}

const SLOT = /^slots\["([^"]+)"\]/;
const BODY = /^\.nodes\[(\d+)\]\.config\.body/;
const PART = /^\.(nodes|edges)\[(\d+)\]/;

export function placedProblem(problem: FoundProblem, patches: Patches): PlacedProblem {
  const nowhere = { ...problem, region: null, node: null, edge: null, field: problem.path };
  const slot = SLOT.exec(problem.path);
  if (!slot?.[1]) return nowhere;
  let region: Region = { slot: slot[1], bodies: [] };
  let rest = problem.path.slice(slot[0].length);
  for (let body = BODY.exec(rest); body; body = BODY.exec(rest)) {
    const owner = patchAt(patches, region).nodes[Number(body[1])];
    if (!owner) break;
    region = { slot: region.slot, bodies: [...region.bodies, owner.id] };
    rest = rest.slice(body[0].length);
  }
  const patch = patchAt(patches, region);
  const part = PART.exec(rest);
  const field = rest.slice(part?.[0].length ?? 0).replace(/^\./, "");
  const at = Number(part?.[2]);
  const node = part?.[1] === "nodes" ? (patch.nodes[at]?.id ?? null) : null;
  const edge = part?.[1] === "edges" ? edgeKey(patch.edges, at) || null : null;
  return { ...problem, region, node, edge, field };
}

export const isError = ({ severity }: FoundProblem): boolean => severity === "error";
export const sameRegion = (one: Region | null, other: Region): boolean => one !== null && one.slot === other.slot && one.bodies.join("/") === other.bodies.join("/");
