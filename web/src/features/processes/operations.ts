/** What an operator may do to a process, and why not the rest. The server has the last word. */
import type { Operation } from "../../api/processes";
import type { Instance, ProcessStep } from "../../api/types";

export type OperationRefusal = "permission" | "over" | "not_over" | "paused" | "not_paused" | "no_failed_step";

export interface Offered {
  operation: Operation;
  refusal: OperationRefusal | null;
  /** Whether the server wants to be told why. */
  asks: boolean;
  danger: boolean;
}

export function isOver({ status }: Pick<Instance, "status">): boolean {
  return status === "completed" || status === "cancelled" || status === "failed";
}

export function operationsOf(instance: Pick<Instance, "status" | "paused_at">, steps: readonly Pick<ProcessStep, "status">[], may: (permission: string) => boolean): Offered[] {
  const over = isOver(instance);
  const paused = instance.paused_at !== null || instance.status === "paused";
  const failed = steps.some(({ status }) => status === "failed");
  const offer = (operation: Operation, refusal: OperationRefusal | null, asks = false, danger = false): Offered => ({
    operation,
    refusal: may("processes:operate") ? refusal : "permission",
    asks,
    danger,
  });
  return [
    offer("pause", over ? "over" : paused ? "paused" : null, true),
    offer("resume", over ? "over" : paused ? null : "not_paused"),
    offer("retry", over ? "over" : failed ? null : "no_failed_step"),
    offer("enqueue", over ? "over" : null),
    offer("rebuild", null),
    offer("cancel", over ? "over" : null, true, true),
    offer("fail", over ? "over" : null, true, true),
  ];
}
