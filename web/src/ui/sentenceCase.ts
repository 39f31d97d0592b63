/** The server's words as a sentence: a capital first, a full stop last. */
export function sentenceCase(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…`]$/.test(whole) ? whole : `${whole}.`;
}

/** A word as it stands by itself, in a list or as a title. */
export function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}
