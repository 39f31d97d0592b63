/** What leaves the database: events of the outbox, effects of processes, and what the engine gave up on. */
import { Alert, Button, Card, Code, Group, NativeSelect, Stack, Tabs, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useDeadEvents, useEffectList, useHealth, useLetter, useOutbox } from "../../api/operate";
import { useSignedIn } from "../../session/SignedIn";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { seconds, stateOf } from "../health/view";
import { BulkButton } from "../operations/BulkButton";
import { Letter } from "./Letter";
import { LetterTable } from "./LetterTable";
import { type AnyLetter, deadEvent, effect, outboxEvent } from "./letters";
import { bulkFilter, DEAD, type DeliveriesView, LETTER_QUEUES, type LetterQueue, type Letters, onlyDead, STATUSES } from "./view";

const route = getRouteApi("/deliveries");
const READS: Record<LetterQueue, string> = { outbox: "outbox:read", effects: "effects:read", engine: "processes:read" };
export const OPERATES: Record<LetterQueue, string> = { outbox: "outbox:operate", effects: "effects:operate", engine: "processes:operate" };

export function DeliveriesPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const shown = LETTER_QUEUES.filter((each) => may(READS[each]));
  const view: Letters = { ...search, queue: search.queue ?? shown[0] ?? "outbox" };
  const go = (next: DeliveriesView) => void navigate({ search: next, replace: true, resetScroll: false });
  const health = useHealth();
  const dead = (queue: LetterQueue) => health.data?.queues.find((each) => each.queue === queue)?.dead;
  const here = health.data?.queues.find((each) => each.queue === view.queue);
  return (
    <Page title={t("deliveries.title")} intro={t("deliveries.intro")} needs={READS[view.queue]}>
      <Stack gap="md">
        {here && stateOf({ ...here, dead: 0, stuck: 0 }) === "late" && (
          <Alert color="rust" icon={<IconAlertTriangle aria-hidden="true" />} title={t(`deliveries.late_${view.queue}`, { time: seconds(here.oldest_seconds) })}>
            <Trans i18nKey={view.queue === "outbox" ? "deliveries.late_outbox_hint" : "deliveries.late_hint"} components={{ code: <Code /> }} />
          </Alert>
        )}
        <Tabs value={view.queue} onChange={(queue) => go({ queue: queue as LetterQueue, status: DEAD[queue as LetterQueue] })}>
          <Tabs.List>
            {shown.map((queue) => (
              <Tabs.Tab key={queue} value={queue}>
                {dead(queue) ? t("deliveries.tab_dead", { queue: t(`deliveries.queue_${queue}`), count: dead(queue) }) : t(`deliveries.queue_${queue}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {shown.map((queue) => (
            <Tabs.Panel key={queue} value={queue} pt="md">
              {queue === view.queue && <List view={view} onChange={go} />}
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Page>
  );
}

function List({ view, onChange }: { view: Letters; onChange: (view: DeliveriesView) => void }) {
  const { t } = useTranslation();
  const outbox = useOutbox(view);
  const effects = useEffectList(view);
  const engine = useDeadEvents(view);
  const query = view.queue === "outbox" ? outbox : view.queue === "effects" ? effects : engine;
  const letters: AnyLetter[] =
    view.queue === "outbox"
      ? (outbox.data?.pages.flatMap((page) => page.items.map(outboxEvent)) ?? []).filter(({ type }) => !view.type || type === view.type)
      : view.queue === "effects"
        ? (effects.data?.pages.flatMap((page) => page.items.map(effect)) ?? [])
        : (engine.data?.pages.flatMap((page) => page.items.map(deadEvent)) ?? []);
  const { item, ...filter } = view;
  const listed = letters.find(({ id }) => id === item);
  // An address may name one that is further down the list, or is not in it any more.
  const one = useLetter(view.queue, query.isSuccess && !listed ? item : undefined);
  return (
    <Card padding={0}>
      <Bar key={view.queue} view={view} onChange={onChange} />
      <Loaded query={query as typeof outbox} lines={5} height={48} inset>
        {() =>
          <>
            {letters.length > 0 && <LetterTable letters={letters} onOpen={(id) => onChange({ ...filter, item: id })} />}
            {letters.length === 0 && !query.hasNextPage && (
              <Notice title={t(onlyDead(view) ? "deliveries.no_dead" : "deliveries.empty")}>{t(`deliveries.about_${view.queue}`)}</Notice>
            )}
            {query.hasNextPage && (
              <Stack p="md" align="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t("runs.more")}
                </Button>
              </Stack>
            )}
          </>
        }
      </Loaded>
      <Letter letter={listed ?? one.data ?? null} onClose={() => onChange(filter)} onAggregate={(aggregate) => onChange({ queue: "outbox", aggregate })} />
    </Card>
  );
}

function Bar({ view, onChange }: { view: Letters; onChange: (view: DeliveriesView) => void }) {
  const { t } = useTranslation();
  const [type, setType] = useState(view.type ?? "");
  // An open letter belongs to the list it was opened in; another list begins without.
  const rest = { queue: view.queue, ...(view.aggregate && { aggregate: view.aggregate }) };
  const narrow = useDebouncedCallback((text: string) => onChange({ ...rest, ...(view.status && { status: view.status }), ...(text.trim() && { type: text.trim() }) }), 300);
  return (
    <Group p="md" gap="sm" align="flex-end">
      {view.queue !== "engine" && (
        <NativeSelect
          aria-label={t("runs.status")}
          value={view.status ?? ""}
          data={[{ value: "", label: t("runs.status_any") }, ...STATUSES[view.queue].map((status) => ({ value: status, label: t(`deliveries.status_${status as "dead"}`) }))]}
          onChange={(event) => onChange({ ...rest, ...(view.type && { type: view.type }), ...(event.currentTarget.value && { status: event.currentTarget.value }) })}
        />
      )}
      <TextInput
        aria-label={t("deliveries.type")}
        placeholder={t("deliveries.type_placeholder")}
        value={type}
        spellCheck={false}
        onChange={(event) => {
          setType(event.currentTarget.value);
          narrow(event.currentTarget.value);
        }}
      />
      {view.aggregate && (
        <Button
          variant="subtle"
          onClick={() => onChange({ queue: view.queue, ...(view.status && { status: view.status }), ...(view.type && { type: view.type }) })}
        >
          {t("deliveries.not_only", { aggregate: view.aggregate })}
        </Button>
      )}
      {onlyDead(view) && (
        <Group gap="xs" ml="auto">
          <BulkButton kind={`${view.queue}.replay`} filter={bulkFilter(view)} needs={OPERATES[view.queue]} />
          <BulkButton kind={`${view.queue}.skip`} filter={bulkFilter(view)} needs={OPERATES[view.queue]} />
        </Group>
      )}
    </Group>
  );
}
