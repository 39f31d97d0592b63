/** Definitions as the server lists them, gathered by what they are about. */
import type { WorkflowOverview } from "../../api/definitions";
import type { Definition } from "../../api/types";
import type { WorkflowState } from "./view";

export interface Workflow {
  entityType: string;
  automation: boolean;
  /** What new instances follow, compiled; null where nothing was published. */
  inForce: Definition | null;
  /** The patches it was compiled from; null for the skeleton alone. */
  source: string | null;
  drafts: readonly Definition[];
  /** What was in force before, newest first. */
  earlier: readonly Definition[];
}

/** `types` are those there are contracts of: a type of which nothing was written yet is listed too. */
export function byType(all: readonly Definition[], types: readonly string[]): Workflow[] {
  const names = [...new Set([...types, ...all.map(({ entity_type }) => entity_type)])].sort();
  return names.map((entityType): Workflow => {
    const own = all.filter(({ entity_type }) => entity_type === entityType);
    const compiled = own.filter(({ definition_kind, source_definition_id }) => definition_kind === "effective" && source_definition_id !== null).sort((one, other) => other.version - one.version);
    const inForce = compiled.find(({ status }) => status === "published") ?? null;
    return {
      entityType,
      automation: own.some(({ automation }) => automation),
      inForce,
      source: inForce?.source_definition_id ?? null,
      drafts: own.filter(({ definition_kind, status }) => definition_kind === "org_patch" && status === "draft"),
      earlier: compiled.filter(({ id }) => id !== inForce?.id),
    };
  });
}

/** Whether there is something of a workflow in a state; `overview` is what the server says there is to be done about it. */
export function stands({ inForce, drafts, earlier }: Workflow, overview: Pick<WorkflowOverview, "stale" | "upgradable"> | undefined, state: WorkflowState): boolean {
  switch (state) {
    case "draft":
      return drafts.length > 0;
    case "published":
      return inForce !== null;
    case "superseded":
      return earlier.length > 0;
    case "upgradable":
    case "stale":
      return overview?.[state] ?? false;
  }
}
