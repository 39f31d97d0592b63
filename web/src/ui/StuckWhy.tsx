/** Why a process stands still, in the reader's language where the code has words, else as the server says it. */
import type { StuckReason } from "../api/types";
import { useCodeWords } from "../i18n/useCodeWords";
import { sentenceCase } from "./sentenceCase";
import { exactTime } from "./time";

export function StuckWhy({ reasons, why }: { reasons: readonly StuckReason[]; why: string }) {
  const words = useCodeWords();
  if (reasons.length === 0) return <span lang="en">{why}</span>;
  return reasons.map(({ code, text, params }) => {
    const since = typeof params?.since === "string" ? { since: exactTime(new Date(params.since)) } : {};
    const said = words(`stuck.${code}`, { ...params, ...since });
    return (
      <div key={text} {...(!said && { lang: "en" })}>
        {said ?? sentenceCase(text)}
      </div>
    );
  });
}
