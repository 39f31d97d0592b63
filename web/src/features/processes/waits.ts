/** What a process waits for, said from the server's code and its parameters, so that it can be said in any language. */
import { useTranslation } from "react-i18next";
import type { Wait } from "../../api/types";
import { useCodeWords } from "../../i18n/useCodeWords";
import { exactTime } from "../../ui/time";

/** In the reader's language; a code that nobody wrote words for is told in the server's own. */
export function useWaitWords(): (wait: Wait) => string {
  const { t, i18n } = useTranslation();
  const codeWords = useCodeWords();
  return ({ code, params = {}, text }) => {
    const told = (name: string) => {
      const value = params[name];
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    };
    const until = typeof params.until === "string" ? [t("processes.wait_until", { until: exactTime(new Date(params.until)) })] : [];
    switch (code) {
      case "branches":
        return t("processes.wait_branches", { arrived: told("arrived"), needed: told("needed"), join: told("join") });
      case "choice":
        return t("processes.wait_choice", { choices: new Intl.ListFormat(i18n.language, { type: "disjunction" }).format((params.choices as string[] | undefined) ?? []) });
      case "event":
        return [t("processes.wait_event", { key: told("event_key") }), ...until].join(" · ");
      case "failed":
        return t("processes.wait_failed", { message: codeWords(`reason.failure_${told("code")}`) ?? (told("message") || told("code")) });
      case "items":
        return t("processes.wait_items", { done: told("done"), items: told("items") });
      case "people":
        return [t(params.type === "task" ? "processes.wait_task" : "processes.wait_people"), ...until].join(" · ");
      case "ready":
        return t("processes.wait_ready");
      case "time":
        return typeof params.until === "string" ? exactTime(new Date(params.until)) : text;
      case "work":
        return t("processes.wait_work");
      default:
        return text;
    }
  };
}
