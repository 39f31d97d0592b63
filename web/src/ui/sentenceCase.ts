/** The server's words as a sentence: a capital first, a full stop last. */
export function sentenceCase(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…`]$/.test(whole) ? whole : `${whole}.`;
}
