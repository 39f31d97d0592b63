/** The first page: where one is, who one is, how much there is, and what happened last. */
import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEvents, usePermissionList, useTenant } from "../../api/queries";
import type { Event } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { Loaded } from "../../ui/Loaded";
import { TextLink } from "../../ui/LinkButton";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { Person } from "../../ui/Person";
import { ChainCard } from "../audit/ChainCard";
import { LazyEventDrawer } from "../audit/LazyEventDrawer";
import { Timeline } from "../audit/Timeline";
import { Figures } from "./Figures";
import classes from "./OverviewPage.module.css";

const LATEST = 12;

export function OverviewPage() {
  const { t } = useTranslation();
  const { tenant, may } = useSignedIn();
  const info = useTenant();
  return (
    <Page title={t("overview.title")} intro={`${info.data?.name ?? tenant} (${tenant})`}>
      <Figures />
      <div className={classes.columns}>
        <Latest />
        <Stack gap="lg">
          <You />
          {may("audit:read") && <ChainCard />}
        </Stack>
      </div>
    </Page>
  );
}

function You() {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const all = usePermissionList();
  return (
    <Card component="section" aria-labelledby="you-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="you-title">
          {t("overview.you")}
        </Title>
        <Person name={t(`users.kind_${me.kind}`)} displayName={me.name} kind={me.kind} />
        <Group gap={6}>
          {me.roles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
          {me.roles.length === 0 && <Badge color="slate">{t("account.no_roles")}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {t("overview.you_may", {
            count: me.permissions.length,
            total: all.data ? Object.keys(all.data).length : "…",
          })}
        </Text>
      </Stack>
    </Card>
  );
}

function Latest() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const query = useEvents({}, LATEST);
  const [open, setOpen] = useState<Event | null>(null);
  return (
    <Card component="section" aria-labelledby="latest-title">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h3" id="latest-title">
          {t("overview.latest")}
        </Title>
        {may("audit:read") && (
          <TextLink to="/audit" size="sm">
            {t("overview.all_events")}
          </TextLink>
        )}
      </Group>
      {may("audit:read") ? (
        <Loaded query={query} lines={LATEST} height={36}>
          {({ pages }) => {
            const events = (pages[0]?.items ?? []).slice(0, LATEST);
            if (events.length === 0) return <Notice>{t("overview.no_events")}</Notice>;
            return <Timeline events={events} onOpen={setOpen} />;
          }}
        </Loaded>
      ) : (
        <Notice>{t("common.needs_permission", { permission: "audit:read" })}</Notice>
      )}
      <LazyEventDrawer event={open} onClose={() => setOpen(null)} />
    </Card>
  );
}
