/** What happened to a document, newest first; what led to it, and in whose words. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { spoken } from "../../forms/schema";
import { When } from "../../ui/When";
import { pieces } from "../audit/sentence";
import { type Contract, stateTitle } from "./contract";
import type { Entry } from "./story";
import { placeName } from "./values";
import classes from "./Story.module.css";
import { usePrincipals } from "./usePrincipals";

interface Props {
  entries: readonly Entry[];
  contract: Contract | undefined;
  exact?: boolean;
}

export function Story({ entries, contract, exact = false }: Props) {
  const { t } = useTranslation();
  return (
    <ol className={classes.story} aria-label={t("documents.timeline")}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.entry} data-tone={toneOf(entry)}>
          <Words entry={entry} contract={contract} />
          {"reason" in entry && entry.reason && <p className={classes.quote}>{entry.reason}</p>}
          <div className={classes.meta}>
            <When at={entry.at} as={exact ? "exact" : "relative"} />
            {"hash" in entry && exact && entry.hash && (
              <Text component="span" size="xs" ml="sm" ff="monospace">
                {entry.hash}
              </Text>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function toneOf(entry: Entry): "good" | "bad" | "plain" {
  if (entry.kind === "decided") return entry.decision === "approved" ? "good" : entry.decision === "abstained" ? "plain" : "bad";
  if (entry.kind === "voided") return "bad";
  if (entry.kind === "moved") return entry.outcome === "rejected" ? "bad" : "good";
  return "plain";
}

const DECISIONS = ["approved", "rejected", "returned", "abstained"] as const;

function Words({ entry, contract }: { entry: Entry; contract: Contract | undefined }) {
  const { t, i18n } = useTranslation();
  const whom = usePrincipals();
  const listed = (names: readonly string[]) => new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(names);
  const fields = (names: readonly string[]) => listed(names.map((name) => placeName(contract?.schema ?? {}, [name])));
  const raw = { skipInterpolation: true } as const;
  const say = (template: string, values: Record<string, string>) =>
    pieces(template, values).map(({ text, strong }, at) => (strong ? <b key={at}>{text}</b> : <span key={at}>{text}</span>));
  const { by } = entry;
  switch (entry.kind) {
    case "created":
      return say(t("story.created", raw), { by });
    case "amended":
      return say(t("story.amended", raw), { by, fields: fields(entry.fields) });
    case "edited":
      return say(t("story.edited", raw), { by, version: String(entry.version), fields: fields(entry.fields) });
    case "moved": {
      const move = contract?.transitions.find(({ name }) => name === entry.transition);
      const back = entry.outcome === "rejected";
      const target = back ? contract?.transitions.find((each) => each.kind === "return" && each.from.some((from) => move?.from.includes(from)))?.to : move?.to;
      return say(t(back ? "story.moved_back" : "story.moved", raw), { by, state: target ? stateTitle(contract, target) : spoken(entry.transition) });
    }
    case "asked":
      return say(t("story.asked", raw), { whom: whom(entry.whom), title: entry.title, version: String(entry.version) });
    case "decided": {
      const decision = DECISIONS.find((each) => each === entry.decision);
      const seat = entry.seat.replace(/^user:/, "");
      const key = decision ? (`story.${decision}` as const) : "story.answered";
      const name = seat !== entry.by && !seat.startsWith("role:") && seat !== "anyone" ? t("story.for", { by, seat }) : by;
      return (
        <>
          {say(t(key, raw), { by: name, title: entry.title, version: String(entry.version) })}
          {entry.voided && <span> {t("story.was_voided")}</span>}
        </>
      );
    }
    case "voided":
      return say(t("story.voided", raw), { title: entry.title, version: String(entry.version), fields: fields(entry.fields) });
    case "closed":
      return say(t("story.closed", raw), { title: entry.title, status: spoken(entry.status).toLowerCase() });
  }
}
