/** Which deliveries are listed, as it stands in the address, and what that means for an operation over all of them. */

export const LETTER_QUEUES = ["outbox", "effects", "engine"] as const;
export type LetterQueue = (typeof LETTER_QUEUES)[number];

export const STATUSES: Readonly<Record<LetterQueue, readonly string[]>> = {
  outbox: ["dead", "pending", "processing", "published"],
  effects: ["dead_letter", "pending", "processing", "completed", "failed", "cancelled"],
  engine: ["dead_letter"],
};
export const DEAD: Readonly<Record<LetterQueue, string>> = { outbox: "dead", effects: "dead_letter", engine: "dead_letter" };

export interface DeliveriesView {
  queue?: LetterQueue;
  status?: string;
  type?: string;
  /** As type/id: the events of one thing, in their order. */
  aggregate?: string;
  item?: string;
}
export type Letters = DeliveriesView & { queue: LetterQueue };

export function deliveriesView(search: Readonly<Record<string, unknown>>): DeliveriesView {
  const queue = LETTER_QUEUES.find((each) => each === search.queue);
  const status = STATUSES[queue ?? "outbox"].find((each) => each === search.status);
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 700) : undefined);
  const [type, aggregate, item] = [text(search.type), text(search.aggregate), text(search.item)];
  return { ...(queue && { queue }), ...(status && { status }), ...(type && { type }), ...(aggregate && { aggregate }), ...(item && { item }) };
}

/** Whether the list holds dead letters alone: only then "all that match" is what is seen. */
export function onlyDead({ queue, status, aggregate }: Letters): boolean {
  return aggregate === undefined && (queue === "engine" || status === DEAD[queue]);
}

/** The same filter for an operation as for the list. */
export const bulkFilter = ({ type }: Letters) => (type ? { type } : {});

/** The headers that sign what was sent, wherever the evidence of an attempt keeps them. */
export function signatures(evidence: Readonly<Record<string, unknown>> | null): [name: string, value: string][] {
  const found: [string, string][] = [];
  const look = (value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string" && /^webhook-(id|timestamp|signature)$/i.test(name)) found.push([name, inner]);
      else look(inner);
    }
  };
  look(evidence);
  return found;
}
