/** The compiled workflow as the server sends it (`GET …/definitions/{id}/compiled`): the parts of it that are drawn. */
import { isObject, type JsonObject } from "../json/json";

export interface CompiledNode {
  id: string;
  type: string;
  name: string;
  config: JsonObject;
  /** `envelope`, or the slot the node belongs to. */
  provenance: string;
  /** The `for_each` node whose body it belongs to. */
  parent: string | null;
  outcomes: readonly string[];
  waits: boolean;
}

export interface CompiledEdge {
  id: string;
  source: string;
  target: string;
  outcome: string | null;
  condition: string | null;
  label: string | null;
  returns: boolean;
  interrupts: boolean;
  provenance: string;
}

export interface CompiledSlot {
  id: string;
  edge: string;
  edit_window: string;
  stable_region: boolean;
  filled: boolean;
}

export interface CompiledWorkflow {
  entity_type: string;
  start: string;
  nodes_by_id: Readonly<Record<string, CompiledNode>>;
  edges_by_id: Readonly<Record<string, CompiledEdge>>;
  topological_order: readonly string[];
  bodies: Readonly<Record<string, { entry: string; exit: string }>>;
  slots: Readonly<Record<string, CompiledSlot>>;
}

/** The same value with its type, or null for what is no compiled workflow. Its own schema is the server's to keep. */
export function compiledOf(value: unknown): CompiledWorkflow | null {
  if (!isObject(value)) return null;
  const { nodes_by_id, edges_by_id, topological_order, bodies, slots } = value;
  const whole = isObject(nodes_by_id) && isObject(edges_by_id) && Array.isArray(topological_order) && isObject(bodies) && isObject(slots);
  return whole ? (value as unknown as CompiledWorkflow) : null;
}
