/** One key: its value, how long it still lives, who changed it, and the means to change or delete it. */
import { Button, Drawer, Group, Stack, Tabs, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Entry, useDeleteEntry, useEntry, useKeyHistory } from "../../api/data";
import { asProblem } from "../../api/problem";
import type { Json } from "../../json/json";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { Facts } from "../../ui/Facts";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { done } from "../../ui/notify";
import { When } from "../../ui/When";
import { EditValue } from "./EditValue";
import { type DataPlace, without } from "./filter";
import { timeLeft } from "./model";
import { ValueView } from "./ValueView";

interface Props {
  place: DataPlace;
  namespace: string;
  onPlace: (place: DataPlace) => void;
}

export function KeyDrawer({ place, namespace, onPlace }: Props) {
  const { t } = useTranslation();
  const { key } = place;
  return (
    <Drawer opened={key !== undefined} onClose={() => onPlace(without(place, "key", "tab"))} title={key ?? ""} size="xl" closeButtonProps={{ "aria-label": t("common.close") }}>
      {key !== undefined && <Wanted key={`${namespace} ${key}`} place={place} namespace={namespace} name={key} onPlace={onPlace} />}
    </Drawer>
  );
}

function Wanted({ place, namespace, name, onPlace }: Props & { name: string }) {
  const { t } = useTranslation();
  const query = useEntry(namespace, name);
  const closed = without(place, "key", "tab");
  if (query.isError && asProblem(query.error).status === 404 && place.tab !== "edit") return <Notice title={t("data.missing")}>{t("data.missing_hint")}</Notice>;
  return (
    <Loaded query={query} lines={5}>
      {(entry) => (
        <Tabs value={place.tab ?? "value"} onChange={(tab) => onPlace({ ...closed, key: name, ...((tab === "history" || tab === "edit") && { tab }) })} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="value">{t("data.value")}</Tabs.Tab>
            <Tabs.Tab value="edit">{t("data.edit")}</Tabs.Tab>
            <Tabs.Tab value="history">{t("data.history")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="value">
            <Value entry={entry} place={place} onPlace={onPlace} onGone={() => onPlace(closed)} />
          </Tabs.Panel>
          <Tabs.Panel value="edit">
            <EditValue namespace={namespace} entry={entry} onDone={() => onPlace({ ...closed, key: name })} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <History namespace={namespace} name={name} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Loaded>
  );
}

function Value({ entry, place, onPlace, onGone }: { entry: Entry; place: DataPlace; onPlace: Props["onPlace"]; onGone: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteEntry();
  const [asking, setAsking] = useState(false);
  const { namespace, key, revision } = entry;
  return (
    <Stack>
      <ValueView value={entry.value as Json} name={key} view={place.view ?? "json"} onView={(view) => onPlace({ ...place, view })} />
      <Facts
        facts={[
          [t("data.type"), t(`data.type_${entry.value_type as "json"}`)],
          [t("data.revision"), <code key="revision">{revision}</code>],
          [t("data.expires"), entry.expires_at ? <Countdown key="expires" until={entry.expires_at} /> : t("common.never")],
          [t("data.updated"), <When key="updated" at={entry.updated_at} as="exact" />],
          [t("data.created"), <When key="created" at={entry.created_at} as="exact" />],
          entry.created_by_run_id && [t("data.made_by"), <code key="run">{entry.created_by_run_id}</code>],
        ]}
      />
      <Group justify="flex-end">
        <ActionButton needs="data:write" variant="default" onClick={() => setAsking(true)}>
          {t("data.delete")}
        </ActionButton>
      </Group>
      <Confirm
        opened={asking}
        title={t("data.delete_title")}
        action={t("data.delete")}
        danger
        busy={remove.isPending}
        error={remove.error}
        onClose={() => {
          setAsking(false);
          remove.reset();
        }}
        onConfirm={() =>
          remove.mutate(
            { namespace, key, revision },
            {
              onSuccess: () => {
                done(t("data.deleted", { key }));
                onGone();
              },
            },
          )
        }
      >
        {t("data.delete_text", { key, namespace })}
      </Confirm>
    </Stack>
  );
}

/** Counts down by the second; the exact moment beside it. */
function Countdown({ until }: { until: string }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = timeLeft(until, now);
  return (
    <>
      {left ? t(`data.left_${left.unit}`, { large: left.large, small: left.small }) : t("data.expired")} · <When at={until} as="exact" />
    </>
  );
}

function History({ namespace, name }: { namespace: string; name: string }) {
  const { t } = useTranslation();
  const query = useKeyHistory(namespace, name);
  return (
    <Loaded query={query} lines={4}>
      {({ pages }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t("data.history_hint")}
          </Text>
          <ul style={{ margin: 0, paddingLeft: "1.1rem" }} aria-label={t("data.history")}>
            {pages
              .flatMap((page) => page.items)
              .map((event, at) => (
                <li key={at}>
                  <Text size="sm">
                    <When at={event.at} as="exact" /> · <code>{event.event_type}</code> · {event.actor}
                    {event.revision !== null && ` · ${t("data.at_revision", { revision: event.revision })}`}
                    {event.run_id && (
                      <>
                        {" · "}
                        <TextLink to="/runs/$runId" params={{ runId: event.run_id }}>
                          {t("data.run")}
                        </TextLink>
                      </>
                    )}
                  </Text>
                </li>
              ))}
          </ul>
          {query.hasNextPage && (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t("data.more")}
            </Button>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
