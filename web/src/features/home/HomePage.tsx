/** The first page: what waits for me, where my documents are, and, for those who look after it, how everything is doing. */
import { Alert, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconInbox, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useContracts, useMyDocuments } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { useInbox, useInboxCounts } from "../../api/people";
import { useTenant } from "../../api/me";
import { useEvents, useSchedules } from "../../api/queries";
import type { Event, Schedule } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { When } from "../../ui/When";
import { LazyEventDrawer } from "../audit/LazyEventDrawer";
import { actorName } from "../audit/actor";
import { Timeline } from "../audit/Timeline";
import { contractOf } from "../documents/contract";
import { StateBadge } from "../documents/StateBadge";
import { headlineOf } from "../documents/values";
import { useValueWords } from "../documents/Values";
import { DemoPeople } from "./DemoPeople";
import { Failed } from "./Failed";
import { HealthFigures } from "./HealthFigures";
import classes from "./HomePage.module.css";

const ROWS = 6;
const LATEST = 8;

export function HomePage() {
  const { t } = useTranslation();
  const { tenant, me, may } = useSignedIn();
  const info = useTenant();
  const every = useFresh(["inbox", "documents", "processes"]);
  const operates = may("processes:operate") || may("runs:operate");
  return (
    <Page
      title={t("home.title", { name: me.name })}
      intro={info.data?.name ?? tenant}
      actions={
        <Group gap="sm">
          <LiveBadge />
          {may("documents:write") && (
            <LinkButton to="/documents/new" leftSection={<IconPlus size={16} aria-hidden="true" />}>
              {t("documents.create")}
            </LinkButton>
          )}
        </Group>
      }
    >
      {operates && <HealthFigures every={every} />}
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <Work every={every} />
          {may("documents:read") && <MyDocuments every={every} />}
          {may("audit:read") && <Latest />}
        </Stack>
        <Stack gap="lg" miw={0}>
          {operates && (
            <Section id="failed-title" title={t("home.failed")}>
              <Failed />
            </Section>
          )}
          {may("schedules:read") && <Next />}
          {!operates && may("documents:read") && <HowItWorks />}
        </Stack>
      </div>
    </Page>
  );
}

function Section({ id, title, link, children }: { id: string; title: string; link?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </Card>
  );
}

function Nothing({ children }: { children: string }) {
  return (
    <Text c="dimmed" maw="40rem">
      {children}
    </Text>
  );
}

/** What waits for whoever is signed in: the first few, and how many there are, as the inbox counts them. */
function Work({ every }: { every: number | false }) {
  const { t } = useTranslation();
  const query = useInbox("all", every);
  const counts = useInboxCounts(every);
  const overdue = counts.data?.overdue.count ?? 0;
  const all = counts.data?.all;
  return (
    <Section
      id="work-title"
      title={t("home.waiting")}
      link={
        <TextLink to="/inbox" size="sm">
          {all && all.count > 0 ? t("home.all_waiting", { count: all.count, more: all.more ? "+" : "" }) : t("inbox.title")}
        </TextLink>
      }
    >
      {overdue > 0 && (
        <Alert color="rust" mb="sm">
          <TextLink to="/inbox" search={{ tab: "overdue" }}>
            {t("home.overdue", { count: overdue })}
          </TextLink>
        </Alert>
      )}
      <Loaded query={query} lines={4} height={36}>
        {({ pages }) => {
          const items = (pages[0]?.items ?? []).slice(0, ROWS);
          if (items.length === 0) {
            return (
              <Stack gap="md">
                <Nothing>{`${t("inbox.empty_all")}. ${t("inbox.empty_hint")}`}</Nothing>
                <DemoPeople />
              </Stack>
            );
          }
          return (
            <>
              <ul className={classes.rows}>
                {items.map((item) => (
                  <li key={item.id}>
                    <span>
                      <TextLink to="/inbox" search={{ item: item.id }} fw={500}>
                        {item.title}
                      </TextLink>
                      <Text span size="sm" c="dimmed">
                        {item.requester && ` · ${actorName(item.requester).name}`}
                      </Text>
                    </span>
                    <Text size="sm" c={item.overdue ? "var(--mantine-color-error)" : "dimmed"} style={{ whiteSpace: "nowrap" }}>
                      {item.due_at ? (
                        <>
                          {t("inbox.due")} <When at={item.due_at} />
                        </>
                      ) : (
                        <When at={item.created_at} />
                      )}
                    </Text>
                  </li>
                ))}
              </ul>
              <Group mt="md">
                <LinkButton to="/inbox" leftSection={<IconInbox size={16} aria-hidden="true" />}>
                  {t("home.decide")}
                </LinkButton>
              </Group>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function MyDocuments({ every }: { every: number | false }) {
  const { t } = useTranslation();
  const words = useValueWords();
  const contracts = useContracts();
  const query = useMyDocuments(every);
  const contractOfType = (type: string) => {
    const found = contracts.data?.find((each) => each.entity_type === type);
    return found && contractOf(found);
  };
  return (
    <Section
      id="mine-title"
      title={t("home.my_documents")}
      link={
        <TextLink to="/documents" size="sm">
          {t("documents.title")}
        </TextLink>
      }
    >
      <Loaded query={query} lines={3} height={36}>
        {(mine) =>
          mine.length === 0 ? (
            <Nothing>{t("home.no_documents")}</Nothing>
          ) : (
            <ul className={classes.rows}>
              {mine.slice(0, ROWS).map((document) => {
                const contract = contractOfType(document.entity_type);
                const head = headlineOf(contract?.schema ?? {}, document.data as JsonObject, words);
                return (
                  <li key={document.id}>
                    <span>
                      <TextLink to="/documents/$documentId" params={{ documentId: document.id }} fw={500}>
                        {[contract?.title, head.name].filter(Boolean).join(" ")}
                      </TextLink>
                      <Text span size="sm" c="dimmed">
                        {head.amount && ` · ${head.amount}`}
                      </Text>
                    </span>
                    <StateBadge contract={contract} status={document.doc_status} />
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Latest() {
  const { t } = useTranslation();
  const query = useEvents({}, LATEST);
  const [open, setOpen] = useState<Event | null>(null);
  return (
    <Section
      id="latest-title"
      title={t("overview.latest")}
      link={
        <TextLink to="/audit" size="sm">
          {t("overview.all_events")}
        </TextLink>
      }
    >
      <Loaded query={query} lines={LATEST} height={36}>
        {({ pages }) => {
          const events = (pages[0]?.items ?? []).slice(0, LATEST);
          return events.length === 0 ? <Notice>{t("overview.no_events")}</Notice> : <Timeline events={events} onOpen={setOpen} />;
        }}
      </Loaded>
      <LazyEventDrawer event={open} onClose={() => setOpen(null)} />
    </Section>
  );
}

function Next() {
  const { t } = useTranslation();
  const query = useSchedules();
  const coming = (all: readonly Schedule[]) =>
    all.filter((each) => each.next_fire_at !== null && each.paused_at === null).sort((one, other) => (one.next_fire_at ?? "").localeCompare(other.next_fire_at ?? ""));
  return (
    <Section
      id="next-title"
      title={t("home.next")}
      link={
        <TextLink to="/schedules" size="sm">
          {t("nav.schedules")}
        </TextLink>
      }
    >
      <Loaded query={query} lines={3} height={32}>
        {({ pages }) => {
          const next = coming(pages.flatMap((page) => page.items)).slice(0, 4);
          if (next.length === 0) return <Text c="dimmed">{t("home.no_next")}</Text>;
          return (
            <ul className={classes.rows}>
              {next.map((schedule) => (
                <li key={schedule.id}>
                  <TextLink to="/schedules" search={{ schedule: schedule.name }}>
                    {schedule.name}
                  </TextLink>
                  <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                    {schedule.next_fire_at && <When at={schedule.next_fire_at} />}
                  </Text>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}

function HowItWorks() {
  const { t } = useTranslation();
  return (
    <Section id="how-title" title={t("home.how")}>
      <Text size="sm" c="dimmed">
        {t("home.how_text")}
      </Text>
    </Section>
  );
}

