/** The rows of the inbox: what it is about, how much, from whom and until when. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useContracts } from "../../api/documents";
import type { InboxItem } from "../../api/types";
import type { Json } from "../../json/json";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { contractOf } from "../documents/contract";
import { headlineOf } from "../documents/values";
import { useValueWords } from "../documents/Values";
import { inboxView, type InboxView } from "./filter";
import classes from "./InboxPage.module.css";
import { decidedWord } from "./progress";

interface Props {
  rows: readonly InboxItem[];
  /** Still those of the tab or filter before. */
  former: boolean;
  gone: ReadonlySet<string>;
  selected: InboxItem | undefined;
  /** Which are chosen to be decided together; null where nothing is to be decided. */
  chosen: ReadonlySet<string> | null;
  view: InboxView;
  onToggle: (id: string) => void;
}

export function Rows({ rows, former, gone, selected, chosen, view, onToggle }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={classes.rows} aria-label={t("inbox.list")} aria-busy={former}>
      {rows.map((item) => (
        <li key={item.id} className={classes.row} data-row={item.id} data-selected={item === selected || undefined} data-gone={gone.has(item.id) || undefined}>
          {chosen && (
            <input
              type="checkbox"
              className={classes.check}
              aria-label={t("inbox.choose", { title: item.title })}
              checked={chosen.has(item.id)}
              onChange={() => onToggle(item.id)}
            />
          )}
          <Row item={item} gone={gone.has(item.id)} selected={item === selected} view={view} />
        </li>
      ))}
    </ul>
  );
}

function Row({ item, gone, selected, view }: { item: InboxItem; gone: boolean; selected: boolean; view: InboxView }) {
  const { t } = useTranslation();
  const words = useValueWords();
  const contracts = useContracts();
  const info = contracts.data?.find((each) => each.entity_type === item.entity_type);
  const data = Object.fromEntries(item.headline.map(({ name, value }) => [name, value as Json]));
  const head = info ? headlineOf(contractOf(info).schema, data, words) : undefined;
  const about = [head?.about, item.requester && actorName(item.requester).name, item.kind === "task" && t("inbox.task")];
  return (
    <Link to="/inbox" search={inboxView({ ...view, item: item.id })} replace={false} resetScroll={false} className={classes.open} aria-current={selected ? "true" : undefined}>
      <span className={classes.line}>
        <span className={classes.title}>{item.title}</span>
        <span className={classes.amount}>{head?.amount}</span>
      </span>
      <span className={classes.line}>
        <span className={classes.minor}>{about.filter(Boolean).join(" · ")}</span>
        <Standing item={item} gone={gone} />
      </span>
    </Link>
  );
}

/** Until when, or that it is too late, or what was decided. */
function Standing({ item, gone }: { item: InboxItem; gone: boolean }) {
  const { t } = useTranslation();
  if (item.decided_at && item.decision) {
    return (
      <span className={classes.minor}>
        {t(`people.decided_${decidedWord(item.decision)}`)} · <When at={item.decided_at} />
      </span>
    );
  }
  if (gone) return <span className={classes.late}>{t("inbox.gone")}</span>;
  if (item.overdue) return <span className={classes.late}>{t("inbox.overdue")}</span>;
  return (
    <span className={classes.minor}>
      {item.due_at && `${t("inbox.due")} `}
      <When at={item.due_at ?? item.created_at} />
    </span>
  );
}
