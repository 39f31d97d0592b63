/** What concerns nobody but whoever is signed in: messages to them, and who decides for them while they are away. */
import { Autocomplete, Badge, Button, Card, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { useCreateDelegation, useDelegations, useEndDelegation, useNotifications, useReadNotifications } from "../../api/people";
import { asProblem, fieldErrors } from "../../api/problem";
import { useUsers } from "../../api/queries";
import type { Delegation, Notification } from "../../api/types";
import { instantOf } from "../../forms/moments";
import { useSignedIn } from "../../session/SignedIn";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { done } from "../../ui/notify";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { shortDay } from "../../ui/time";
import { useNow } from "../../ui/useNow";
import { When } from "../../ui/When";
import { contractOf } from "../documents/contract";
import classes from "../home/HomePage.module.css";

export function YouPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("you.title")} intro={t("you.intro")}>
      <div className={classes.columns}>
        <Messages />
        <Away />
      </div>
    </Page>
  );
}

function Messages() {
  const { t } = useTranslation();
  const query = useNotifications(useFresh(["inbox"]));
  const read = useReadNotifications();
  const unread = query.data?.items.filter(({ read_at }) => read_at === null) ?? [];
  return (
    <Card component="section" aria-labelledby="messages-title">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="messages-title">
          {t("you.messages")}
          {unread.length > 0 && <Badge ml="sm">{t("you.unread", { count: unread.length })}</Badge>}
        </Title>
        {unread.length > 0 && (
          <Button variant="subtle" size="compact-sm" loading={read.isPending} onClick={() => read.mutate(unread.map(({ id }) => id))}>
            {t("you.read_all")}
          </Button>
        )}
      </Group>
      {read.isError && <ProblemAlert error={read.error} />}
      <Loaded query={query} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Notice title={t("you.no_messages")}>{t("you.no_messages_hint")}</Notice>
          ) : (
            <ul className={classes.rows}>
              {items.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Message({ message }: { message: Notification }) {
  return (
    <li>
      <div>
        <Text fw={message.read_at === null ? 600 : 400}>
          {message.request_id ? (
            <TextLink to="/inbox" search={{ item: message.request_id }}>
              {message.subject}
            </TextLink>
          ) : (
            message.subject
          )}
        </Text>
        <Text size="sm" c="dimmed" style={{ whiteSpace: "pre-line" }}>
          {message.body}
        </Text>
      </div>
      <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
        <When at={message.created_at} />
      </Text>
    </li>
  );
}

function Away() {
  const { t } = useTranslation();
  const query = useDelegations();
  return (
    <Card component="section" aria-labelledby="away-title">
      <Title order={2} size="h3" mb={4} id="away-title">
        {t("you.away")}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t("you.away_hint")}
      </Text>
      <Loaded query={query} lines={2}>
        {(found) => (
          <Stack>
            {found.length > 0 && (
              <ul className={classes.rows}>
                {found.map((each) => (
                  <One key={each.id} delegation={each} />
                ))}
              </ul>
            )}
            <NewDelegation />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function One({ delegation }: { delegation: Delegation }) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const now = useNow();
  const end = useEndDelegation();
  const over = delegation.revoked_at !== null || new Date(delegation.ends_at) <= now;
  const mine = delegation.delegator === me.name;
  return (
    <li>
      <div>
        <Text fw={500}>{mine ? t("you.for_me", { name: delegation.delegate }) : t("you.i_for", { name: delegation.delegator })}</Text>
        <Text size="sm" c="dimmed">
          {shortDay(new Date(delegation.starts_at))} – {shortDay(new Date(delegation.ends_at))}
          {delegation.reason && ` · ${delegation.reason}`}
        </Text>
        {end.isError && <ProblemAlert error={end.error} />}
      </div>
      {over ? (
        <Badge color="slate">{t("you.over")}</Badge>
      ) : (
        mine && (
          <Button variant="default" size="compact-sm" loading={end.isPending} onClick={() => end.mutate(delegation.id)}>
            {t("you.end")}
          </Button>
        )
      )}
    </li>
  );
}

const FIELDS = ["delegate", "starts_at", "ends_at", "entity_type", "reason"] as const;

function NewDelegation() {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const users = useUsers();
  const contracts = useDocumentTypes();
  const create = useCreateDelegation();
  const [delegate, setDelegate] = useState("");
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [type, setType] = useState("");
  const [reason, setReason] = useState("");
  const people = users.data?.pages.flatMap((page) => page.items).filter((user) => user.kind === "user" && user.name !== me.name && user.deactivated_at === null) ?? [];
  const refused = create.isError ? fieldErrors(asProblem(create.error), FIELDS) : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const ends_at = instantOf(`${until}T23:59`);
    if (!ends_at || delegate.trim() === "") return;
    create.mutate(
      { delegate: delegate.trim(), ends_at, starts_at: from ? instantOf(`${from}T00:00`) : null, entity_type: type || null, reason: reason.trim() },
      {
        onSuccess: () => {
          setDelegate("");
          setReason("");
          done(t("you.arranged"));
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Autocomplete label={t("you.delegate")} data={people.map(({ name }) => name)} value={delegate} onChange={setDelegate} error={refused.delegate} required />
        <Group grow>
          <TextInput type="date" label={t("you.from")} value={from} onChange={(event) => setFrom(event.currentTarget.value)} error={refused.starts_at} />
          <TextInput type="date" label={t("you.until")} value={until} onChange={(event) => setUntil(event.currentTarget.value)} error={refused.ends_at} required />
        </Group>
        <NativeSelect
          label={t("you.for_what")}
          value={type}
          data={[{ value: "", label: t("you.everything") }, ...(contracts.data ?? []).map((info) => ({ value: info.entity_type, label: contractOf(info).title }))]}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <TextInput label={t("documents.reason")} value={reason} onChange={(event) => setReason(event.currentTarget.value)} error={refused.reason} />
        {create.isError && Object.keys(refused).length === 0 && <ProblemAlert error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t("you.arrange")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
