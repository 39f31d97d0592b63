/** `slot:submitted_to_approved` as people say it. */
export function slotTitle(id: string): string {
  const words = id.replace(/^slot:/, "").replaceAll("_", " ");
  return words.replace(/^(.+) to (.+)$/, "$1 → $2");
}
