/**
 * What waits for whoever is signed in: the list beside what is open of it. After a decision the next row is open; rows never move
 * under the pointer, and what came in is counted until it is asked for.
 */
import { Alert, Badge, Button, Card, Checkbox, Group, NativeSelect, Stack, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconCheck, IconKeyboard } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useContracts } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { useHeadlines, useInbox, useInboxCounts } from "../../api/people";
import type { InboxItem } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { nextKey } from "../../live/rows";
import { NewRows, useSteadyRows } from "../../live/SteadyList";
import { later } from "../../ui/later";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { When } from "../../ui/When";
import { actorName } from "../audit/sentence";
import { contractOf } from "../documents/contract";
import { headlineOf } from "../documents/values";
import { useValueWords } from "../documents/Values";
import { DecisionCard } from "./DecisionCard";
import type { DecidingHandle } from "./Deciding";
import { INBOX_TABS, type InboxTab, inboxView, type InboxView } from "./filter";
import classes from "./InboxPage.module.css";
import { useShortcuts } from "./shortcuts";

const Help = later(() => import("./Help").then((module) => module.Help));
const Bulk = later(() => import("./Bulk").then((module) => module.Bulk));
const route = getRouteApi("/inbox");
const idOf = (item: InboxItem) => item.id;

export function InboxPage() {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const every = useFresh(["inbox"]);
  const counts = useInboxCounts(every);
  const tab: InboxTab = view.tab ?? "all";
  const query = useInbox(tab, every);
  const [help, setHelp] = useState(false);
  // Another tab is another list: what was open in the old one is not carried over.
  const show = (next: InboxView) => void navigate({ search: inboxView({ ...next }), replace: true, resetScroll: false });
  return (
    <Page
      title={t("inbox.title")}
      intro={t("inbox.intro")}
      actions={
        <Group gap="sm">
          <LiveBadge />
          <Button variant="subtle" color="slate" leftSection={<IconKeyboard size={18} aria-hidden="true" />} onClick={() => setHelp(true)} visibleFrom="md">
            {t("inbox.keys")}
          </Button>
        </Group>
      }
    >
      <Tabs value={tab} onChange={(next) => show({ ...(next !== "all" && { tab: next as NonNullable<InboxView["tab"]> }) })}>
        <Tabs.List className={classes.tabs} style={{ flexWrap: "nowrap" }}>
          {INBOX_TABS.map((each) => {
            const count = counts.data?.[each];
            return (
              <Tabs.Tab
                key={each}
                value={each}
                rightSection={
                  count !== undefined && (
                    <Badge size="sm" miw="1.75rem" color={each === "overdue" && count.count > 0 ? "rust" : "slate"}>
                      {count.count}
                      {count.more && "+"}
                    </Badge>
                  )
                }
              >
                {t(`inbox.tab_${each}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="xs">
          <Loaded query={query} lines={6} height={64}>
            {({ pages }) => (
              <Panes
                items={pages.flatMap((page) => page.items)}
                view={view}
                tab={tab}
                every={every}
                onView={show}
                more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                onHelp={() => setHelp(true)}
              />
            )}
          </Loaded>
        </Tabs.Panel>
      </Tabs>
      {help && (
        <Suspense fallback={null}>
          <Help onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </Page>
  );
}

interface PanesProps {
  items: readonly InboxItem[];
  view: InboxView;
  tab: InboxTab;
  every: number | false;
  onView: (view: InboxView) => void;
  more: (() => void) | undefined;
  onHelp: () => void;
}

function Panes({ items, view, tab, every, onView, more, onHelp }: PanesProps) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const wanted = useMemo(() => items.filter(({ entity_type }) => !view.type || entity_type === view.type), [items, view.type]);
  const steady = useSteadyRows(wanted, idOf, `${tab}.${view.type ?? ""}`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<{ words: string; item: InboxItem } | null>(null);
  const [bulk, setBulk] = useState<readonly InboxItem[] | null>(null);
  const deciding = useRef<DecidingHandle>(null);
  const rows = steady.shown;
  const named = rows.find(({ id }) => id === view.item);
  const selected = named ?? (narrow ? undefined : rows[0]);

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
    x: () => selected && toggle(selected.id),
    "?": onHelp,
  });

  const picked = rows.filter(({ id }) => chosen.has(id));
  const list = (
    <Card padding={0} component="section" aria-label={t("inbox.list")} className={classes.list}>
      <Tools view={view} items={items} onView={onView} picked={picked} onBulk={() => setBulk(picked)} />
      {steady.waiting.length > 0 && (
        <Group justify="center" p="xs">
          <NewRows count={steady.waiting.length} onShow={steady.renew} />
        </Group>
      )}
      {rows.length === 0 ? (
        <Notice title={t(`inbox.empty_${tab}`)}>{t("inbox.empty_hint")}</Notice>
      ) : (
        <Rows rows={rows} gone={steady.gone} selected={selected} chosen={chosen} view={view} onToggle={toggle} />
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
    <Stack gap="md">
      <div role="status">
        {said && (
          <Alert role="note" color="kelp" icon={<IconCheck aria-hidden="true" />} withCloseButton closeButtonLabel={t("common.close")} onClose={() => setSaid(null)}>
            {said.words} · {t("inbox.no_undo")}{" "}
            {said.item.document_id && (
              <TextLink to="/documents/$documentId" params={{ documentId: said.item.document_id }} search={{ tab: "decisions" }}>
                {t("inbox.see_it")}
              </TextLink>
            )}
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
    </Stack>
  );
}

interface ToolsProps {
  view: InboxView;
  items: readonly InboxItem[];
  onView: (view: InboxView) => void;
  picked: readonly InboxItem[];
  onBulk: () => void;
}

function Tools({ view, items, onView, picked, onBulk }: ToolsProps) {
  const { t } = useTranslation();
  const contracts = useContracts();
  const types = [...new Set([...items.map(({ entity_type }) => entity_type), ...(view.type ? [view.type] : [])])].sort();
  const title = (type: string) => {
    const info = contracts.data?.find((each) => each.entity_type === type);
    return info ? contractOf(info).title : type;
  };
  return (
    <div className={classes.tools}>
      <NativeSelect
        size="xs"
        aria-label={t("inbox.type_filter")}
        value={view.type ?? ""}
        data={[{ value: "", label: t("inbox.type_any") }, ...types.map((type) => ({ value: type, label: title(type) }))]}
        onChange={(event) => onView({ ...(view.tab && { tab: view.tab }), type: event.currentTarget.value })}
      />
      {picked.length > 0 && (
        <Button size="xs" onClick={onBulk}>
          {t("inbox.bulk", { count: picked.length })}
        </Button>
      )}
    </div>
  );
}

interface RowsProps {
  rows: readonly InboxItem[];
  gone: ReadonlySet<string>;
  selected: InboxItem | undefined;
  chosen: ReadonlySet<string>;
  view: InboxView;
  onToggle: (id: string) => void;
}

function Rows({ rows, gone, selected, chosen, view, onToggle }: RowsProps) {
  const { t } = useTranslation();
  const contents = useHeadlines(rows);
  return (
    <ul className={classes.rows} aria-label={t("inbox.list")}>
      {rows.map((item) => (
        <li key={item.id} className={classes.row} data-row={item.id} data-selected={item === selected || undefined} data-gone={gone.has(item.id) || undefined}>
          <Checkbox size="sm" mt={1} aria-label={t("inbox.choose", { title: item.title })} checked={chosen.has(item.id)} onChange={() => onToggle(item.id)} />
          <Row item={item} data={contents.get(item.id)} gone={gone.has(item.id)} selected={item === selected} view={view} />
        </li>
      ))}
    </ul>
  );
}

function Row({ item, data, gone, selected, view }: { item: InboxItem; data: JsonObject | undefined; gone: boolean; selected: boolean; view: InboxView }) {
  const { t } = useTranslation();
  const words = useValueWords();
  const contracts = useContracts();
  const info = contracts.data?.find((each) => each.entity_type === item.entity_type);
  const head = data && info ? headlineOf(contractOf(info).schema, data, words) : undefined;
  return (
    <Link to="/inbox" search={inboxView({ ...view, item: item.id })} replace={false} resetScroll={false} className={classes.open} aria-current={selected ? "true" : undefined}>
      <span className={classes.line}>
        <span className={classes.title}>{item.title}</span>
        <span className={classes.amount}>{head?.amount}</span>
      </span>
      <span className={classes.line}>
        <span className={classes.minor}>
          {[head?.about, item.requester && actorName(item.requester).name, item.kind === "task" && t("inbox.task")].filter(Boolean).join(" · ")}
        </span>
        {gone ? (
          <span className={classes.late}>{t("inbox.gone")}</span>
        ) : item.overdue ? (
          <span className={classes.late}>{t("inbox.overdue")}</span>
        ) : (
          <span className={classes.minor}>
            <When at={item.due_at ?? item.created_at} />
          </span>
        )}
      </span>
    </Link>
  );
}
