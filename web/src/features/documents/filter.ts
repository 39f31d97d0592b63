/** What the list of documents is narrowed to, as it stands in the address. */

export interface DocumentFilter {
  type?: string;
  status?: string;
  /** Words that must be somewhere in the content, among what is loaded. */
  text?: string;
}

const NAME = /^[a-z][a-z0-9_]*$/;

/** The filter of an address; what is not valid there is left out. */
export function documentFilter(search: Readonly<Record<string, unknown>>): DocumentFilter {
  const name = (value: unknown) => (typeof value === "string" && NAME.test(value) ? value : undefined);
  const type = name(search.type);
  const status = name(search.status);
  // A number that somebody looks for may have been read as one.
  const given = typeof search.text === "number" ? String(search.text) : search.text;
  const text = typeof given === "string" ? given.trim().slice(0, 200) : "";
  return { ...(type && { type }), ...(status && { status }), ...(text && { text }) };
}

/** A filter as the server keeps it under a name, and back. */
export function kept({ type, status, text }: DocumentFilter): Record<string, string> {
  return { ...(type && { entity_type: type }), ...(status && { doc_status: status }), ...(text && { text }) };
}

export function fromKept({ entity_type, doc_status, text }: Readonly<Record<string, unknown>>): DocumentFilter {
  return documentFilter({ type: entity_type, status: doc_status, text });
}

/** Which parts of one document are shown, as they stand in the address of its page. */
export interface DocumentView {
  tab?: "versions" | "decisions" | "history";
  /** The version that is looked at, and the one it is compared with. */
  version?: number;
  against?: number;
}

export function documentView(search: Readonly<Record<string, unknown>>): DocumentView {
  const tab = (["versions", "decisions", "history"] as const).find((each) => each === search.tab);
  const count = (value: unknown) => (typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined);
  const version = count(search.version);
  const against = count(search.against);
  return { ...(tab && { tab }), ...(version && { version }), ...(against && { against }) };
}
