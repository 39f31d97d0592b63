/** Why a request came to whoever looks at it, in words; the expressions behind it are a press away. */
import { Skeleton, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useReasons } from "../../api/processes";
import type { InboxItem, RequestDetail } from "../../api/types";
import { isNumberText, numberOf } from "../../json/exact";
import { formatNumber } from "../../json/format";
import type { Json, JsonObject } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import type { Contract } from "../documents/contract";
import { fieldAt, shownValue } from "../documents/values";
import { useValueWords } from "../documents/Values";
import classes from "./DecisionCard.module.css";
import { capacityOf, type Comparison, readPath, type Trace, tracesTo } from "./why";

const HOW: Readonly<Record<Comparison, "gt" | "ge" | "lt" | "le" | "eq" | "ne">> = { ">": "gt", ">=": "ge", "<": "lt", "<=": "le", "==": "eq", "!=": "ne" };

interface Props {
  item: Pick<InboxItem, "how" | "seat" | "instance_id" | "node_id">;
  detail: RequestDetail | undefined;
  contract: Contract | undefined;
  data: JsonObject | undefined;
}

export function Why({ item, detail, contract, data }: Props) {
  const { t, i18n } = useTranslation();
  const { me } = useSignedIn();
  const reasons = useReasons(item.instance_id);
  const traces = tracesTo(reasons.data ?? [], item.node_id);
  const sentence = useTraceSentence(contract, data);
  const capacity = capacityOf(item, detail?.assignees.map(({ principal }) => principal) ?? [], me.roles, detail?.why);
  // Each has what its own words fill in, and nothing more.
  const { how, ...filled } = capacity;
  const you = (t as (key: string, filled: object) => string)(`why.${how}`, filled);
  // Half of the answer would be another answer.
  if (!detail || reasons.isPending) return <Skeleton height={24} />;
  const said = traces.map(sentence).filter((words) => words !== null);
  const words = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format([...said, you]);
  return (
    <div>
      <Text>{words.charAt(0).toUpperCase() + words.slice(1)}.</Text>
      {traces.length > 0 && (
        <details className={classes.trace}>
          <summary>{t("why.show_trace")}</summary>
          <ul aria-label={t("why.trace")}>
            {traces.map((trace) => (
              <li key={`${trace.node}.${trace.expression}`}>
                <code>{trace.expression}</code> {t(trace.result ? "why.is_true" : "why.is_false")} · <code>{trace.because}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** A comparison in words, amounts with their currency. Null for what was not a comparison: its trace says it. */
export function useTraceSentence(contract: Contract | undefined, data: JsonObject | undefined): (trace: Trace) => string | null {
  const { t } = useTranslation();
  const words = useValueWords();
  const shown = (value: string, expression: string, side: "left" | "right") => {
    const path = readPath(expression, side);
    const field = path && contract ? fieldAt(contract.schema, path) : null;
    const json: Json = isNumberText(value) ? numberOf(value) : value.replace(/^["'](.*)["']$/, "$1");
    if (field) return shownValue(json, field, data ?? {}, words);
    return typeof json === "string" ? json : formatNumber(json);
  };
  return ({ compared, expression }) =>
    compared && t(`why.${HOW[compared.how]}`, { left: shown(compared.left, expression, "left"), right: shown(compared.right, expression, "right") });
}
