/** A text that somebody is writing, kept in this browser until it is sent: reload, live updates and a closed tab do not lose it. */
import { useCallback, useState } from "react";
import { dropDraft, keepDraft, readDraft } from "../../forms/drafts";

export function useKeptText(key: string): [text: string, write: (text: string) => void, forget: () => void] {
  const read = () => {
    const kept = readDraft(key)?.state.value;
    return typeof kept === "string" ? kept : "";
  };
  const [held, setHeld] = useState(() => ({ key, text: read() }));
  // Another row is another text.
  const current = held.key === key ? held : { key, text: read() };
  if (current !== held) setHeld(current);
  const write = useCallback(
    (text: string) => {
      setHeld({ key, text });
      keepDraft(key, { value: text, typed: {} }, "", new Date());
    },
    [key],
  );
  const forget = useCallback(() => {
    setHeld({ key, text: "" });
    dropDraft(key);
  }, [key]);
  return [current.text, write, forget];
}
