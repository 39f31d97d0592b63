/** Messages as a conversation: numbered without gaps, each once, whichever way it came. */
import type { SessionMessage } from "../../api/sessions";
import { isObject, stringify } from "../../json/json";

/** Adds what came to what is there; the same number twice is the same message. */
export function joined(known: readonly SessionMessage[], came: readonly SessionMessage[]): SessionMessage[] {
  const all = new Map([...known, ...came].map((message) => [message.sequence_number, message]));
  return [...all.values()].sort((one, other) => one.sequence_number - other.sequence_number);
}

export interface Spoken {
  kind: "person" | "agent" | "tool" | "question" | "progress" | "system" | "error";
  text: string;
  by: string | null;
  /** From 0 to 1, for progress. */
  share: number | null;
  trace: string | null;
}

const text = (value: unknown): string => (typeof value === "string" ? value : value === undefined || value === null ? "" : stringify(value, 2));

/** What holdfast itself says in a session, which the reader's language says in its own words. */
const OWN: Readonly<Record<string, "started" | "completed" | "failed">> = { "Session started": "started", "Session completed": "completed", "Session failed": "failed" };

/** The name of what holdfast says, if it is holdfast that speaks: a whole step that is done, or the beginning or end of the session. */
export function ownWords({ message_type, content }: Pick<SessionMessage, "message_type" | "content">): { told: "started" | "completed" | "failed" | "step"; step: string } | null {
  if (message_type === "workflow_progress" && content.message === "step finished" && content.checkpoint !== undefined) return { told: "step", step: text(content.step) };
  const told = message_type === "system" && typeof content.message === "string" ? OWN[content.message] : undefined;
  return told ? { told, step: "" } : null;
}

export function spokenOf({ message_type, content }: Pick<SessionMessage, "message_type" | "content">): Spoken {
  const metadata = isObject(content.metadata) ? content.metadata : {};
  const by = typeof metadata.by === "string" ? metadata.by : null;
  const said = (kind: Spoken["kind"], value: unknown): Spoken => ({ kind, text: text(value), by, share: null, trace: null });
  switch (message_type) {
    case "user":
      return said("person", content.response);
    case "agent":
      return said(metadata.role === "tool" ? "tool" : "agent", content.message);
    case "error":
      return { ...said("error", content.error), trace: text(content.stack_trace) || null };
    case "workflow_progress": {
      const share = Number(text(content.progress));
      const words = [content.step, content.message].map(text).filter((word, at, all) => word && all.indexOf(word) === at);
      return { ...said("progress", words.join(" · ")), share: content.progress !== undefined && Number.isFinite(share) ? share : null };
    }
    case "workflow_waiting_for_input":
      return said("question", content.prompt);
    case "system":
      return said("system", content.message);
  }
}
