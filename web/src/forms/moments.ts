/** Instants as a browser's date-and-time input writes them: in the reader's zone, without one; and back, with its offset. */

/** `2026-06-01T07:00:00Z` as `2026-06-01T09:00` in Berlin; empty for what is no instant. */
export function localInput(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return "";
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, time.getSeconds() === 0 ? 16 : 19);
}

/** What was entered, as an instant with the reader's offset at that time; null for what is none. */
export function instantOf(entered: string): string | null {
  const time = new Date(entered);
  if (entered === "" || Number.isNaN(time.getTime())) return null;
  const offset = -time.getTimezoneOffset();
  const two = (part: number) => String(Math.floor(Math.abs(part))).padStart(2, "0");
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
  return `${entered.length === 16 ? `${entered}:00` : entered}${zone}`;
}
