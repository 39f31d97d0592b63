/** Keys that work while nobody types: one letter, no modifier. */
import { useEffect, useRef } from "react";

export type Shortcuts = Readonly<Record<string, () => void>>;

const TYPING = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]";

export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target instanceof Element ? event.target : null;
      // A checkbox takes only Space; every other input takes letters. Behind a dialog nothing is decided.
      const typing = target?.matches(TYPING) && !target.matches("input[type=checkbox], input[type=radio]");
      if (typing || document.querySelector("[role=dialog][aria-modal=true]")) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
