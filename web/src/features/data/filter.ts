/** What of the data store is looked at, as it stands in the address. */

export const VIEWS = ["json", "text", "table"] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ["history", "edit"] as const;

export interface DataPlace {
  namespace?: string;
  prefix?: string;
  key?: string;
  view?: View;
  tab?: (typeof TABS)[number];
  watch?: true;
}

/** The place of an address; what is not valid there is left out. Names are taken as they are: blanks count. */
export function dataPlace(search: Readonly<Record<string, unknown>>): DataPlace {
  const namespace = name(search.namespace, 256);
  const prefix = name(search.prefix, 512);
  const key = name(search.key, 512);
  const view = VIEWS.find((each) => each === search.view);
  const tab = TABS.find((each) => each === search.tab);
  return {
    ...(namespace && { namespace }),
    ...(namespace && prefix && { prefix }),
    ...(namespace && key && { key }),
    ...(view && { view }),
    ...(tab && { tab }),
    ...(search.watch === true && { watch: true as const }),
  };
}

/** A key such as 2026 that somebody typed into the address may have been read as a number. */
function name(value: unknown, most: number): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= most ? text : undefined;
}

/** The same place without some parts. */
export function without(place: DataPlace, ...parts: (keyof DataPlace)[]): DataPlace {
  return Object.fromEntries(Object.entries(place).filter(([part]) => !parts.includes(part as keyof DataPlace)));
}
