/** The list and the card beside it; on a narrow screen one of them. Which row is open, which are chosen, and what was just decided. */
import { Alert, Button, Card, Group, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconCheck } from "@tabler/icons-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { InboxItem } from "../../api/types";
import { nextKey } from "../../live/rows";
import { NewRows, useSteadyRows } from "../../live/SteadyList";
import { later } from "../../ui/later";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Notice } from "../../ui/Notice";
import { DecisionCard } from "./DecisionCard";
import type { DecidingHandle } from "./Deciding";
import { filterOf, type InboxTab, inboxView, type InboxView } from "./filter";
import classes from "./InboxPage.module.css";
import { Rows } from "./Rows";
import { useShortcuts } from "./shortcuts";

const Bulk = later(() => import("./Bulk").then((module) => module.Bulk));
const DemoPeople = later(() => import("../home/DemoPeople").then((module) => module.DemoPeople));
const Tools = later(() => import("./Tools").then((module) => module.Tools));
const idOf = (item: InboxItem) => item.id;

interface Props {
  items: readonly InboxItem[];
  view: InboxView;
  tab: InboxTab;
  every: number | false;
  /** These are still the rows of the tab or filter before; nothing is decided among them. */
  former: boolean;
  onView: (view: InboxView) => void;
  more: (() => void) | undefined;
  onHelp: () => void;
}

export function Panes({ items, view, tab, every, former, onView, more, onHelp }: Props) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const filter = filterOf(view);
  const filtered = Object.keys(filter).length > 0;
  const steady = useSteadyRows(items, idOf, JSON.stringify([tab, filter]), former);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<{ words: string; item: InboxItem } | null>(null);
  const [bulk, setBulk] = useState<readonly InboxItem[] | null>(null);
  const deciding = useRef<DecidingHandle>(null);
  const rows = steady.shown;
  const named = rows.find(({ id }) => id === view.item);
  const selected = former ? undefined : (named ?? (narrow ? undefined : rows[0]));

  const open = (item: InboxItem | undefined) => onView({ ...view, ...(item ? { item: item.id } : { item: "" }) });
  const step = (by: 1 | -1) => {
    const at = rows.findIndex((each) => each === selected);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (!next || next === selected) return;
    open(next);
    document.querySelector(`[data-row="${next.id}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const toggle = (id: string) =>
    setChosen((known) => {
      const next = new Set(known);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const decided = (item: InboxItem, words: string) => {
    setSaid({ words, item });
    setChosen((known) => new Set([...known].filter((id) => id !== item.id)));
    const next = nextKey(rows, item.id, idOf);
    steady.drop(item.id);
    onView({ ...view, item: narrow ? "" : (next ?? "") });
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    a: () => deciding.current?.approve(),
    r: () => deciding.current?.reject(),
    x: () => selected && tab !== "done" && toggle(selected.id),
    "?": onHelp,
  });

  const picked = tab === "done" ? [] : rows.filter(({ id }) => chosen.has(id));
  const list = (
    <Card padding={0} component="section" aria-label={t("inbox.list")} className={classes.list}>
      <div className={classes.tools}>
        <Suspense fallback={null}>
          <Tools view={view} items={items} onView={onView} />
        </Suspense>
        {picked.length > 0 && (
          <Button size="xs" onClick={() => setBulk(picked)}>
            {t("inbox.bulk", { count: picked.length })}
          </Button>
        )}
      </div>
      {steady.waiting.length > 0 && (
        <Group justify="center" p="xs">
          <NewRows count={steady.waiting.length} onShow={steady.renew} />
        </Group>
      )}
      {rows.length === 0 ? (
        filtered ? (
          <Notice
            title={t("inbox.empty_filtered")}
            action={
              <Button variant="default" size="xs" onClick={() => onView({ ...(view.tab && { tab: view.tab }) })}>
                {t("inbox.filter_clear")}
              </Button>
            }
          >
            {t("inbox.empty_filtered_hint")}
          </Notice>
        ) : (
          <Notice title={t(`inbox.empty_${tab}`)} action={tab === "all" && <Suspense fallback={null}><DemoPeople centred /></Suspense>}>
            {t(tab === "done" ? "inbox.empty_done_hint" : "inbox.empty_hint")}
          </Notice>
        )
      ) : (
        <Rows rows={rows} former={former} gone={steady.gone} selected={selected} chosen={tab === "done" ? null : chosen} view={view} onToggle={toggle} />
      )}
      {more && (
        <Group justify="center" p="sm">
          <Button variant="default" size="xs" onClick={more}>
            {t("inbox.show_more")}
          </Button>
        </Group>
      )}
    </Card>
  );
  return (
    <div>
      <div role="status">
        {said && (
          <Alert role="note" color="kelp" mb="md" icon={<IconCheck aria-hidden="true" />} withCloseButton closeButtonLabel={t("common.close")} onClose={() => setSaid(null)}>
            {said.words} · {t("inbox.no_undo")}{" "}
            <TextLink to="/inbox" search={{ tab: "done", item: said.item.id }}>
              {t("inbox.see_it")}
            </TextLink>
          </Alert>
        )}
      </div>
      {narrow ? (
        selected ? (
          <Stack gap="sm">
            <div>
              <LinkButton to="/inbox" search={inboxView({ ...view, item: "" })} variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
                {t("inbox.back")}
              </LinkButton>
            </div>
            <DecisionCard key={selected.id} item={selected} every={every} onDecided={decided} deciding={deciding} />
          </Stack>
        ) : (
          list
        )
      ) : (
        <div className={rows.length > 0 ? classes.panes : undefined}>
          {list}
          {selected && <DecisionCard key={selected.id} item={selected} every={every} onDecided={decided} deciding={deciding} />}
        </div>
      )}
      <Suspense fallback={null}>
        {bulk && (
          <Bulk
            items={bulk}
            onClose={(gone) => {
              setBulk(null);
              for (const id of gone) steady.drop(id);
              setChosen(new Set());
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
