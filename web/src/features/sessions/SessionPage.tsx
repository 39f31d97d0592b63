/** One session: what it asks now, the conversation as it goes on, its history, and ending it. */
import { Alert, Card, Group, Stack, Tabs, TextInput } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "../../api/problem";
import { type SessionInfo, useCancelSession, usePrompts, useSession } from "../../api/sessions";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { Facts } from "../../ui/Facts";
import { Json } from "../../ui/Json";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { When } from "../../ui/When";
import { useSignedIn } from "../../session/SignedIn";
import { actorName } from "../audit/actor";
import { Conversation } from "./Conversation";
import { History } from "./History";
import { Prompt } from "./Prompt";
import { SessionBadge } from "./SessionBadge";
import { SessionGraph } from "./SessionGraph";
import { useMessages } from "./useMessages";

const route = getRouteApi("/sessions/$sessionName");

export function SessionPage() {
  const { t } = useTranslation();
  const { sessionName } = route.useParams();
  const query = useSession(sessionName);
  const missing = query.isError && asProblem(query.error).status === 404;
  return (
    <Page
      title={sessionName}
      needs="sessions:read"
      intro={query.data?.workflow_name}
      actions={query.data && !query.data.completed_at && <Cancel name={sessionName} />}
    >
      <div>
        <LinkButton to="/sessions" variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("sessions.back")}
        </LinkButton>
      </div>
      {missing ? (
        <Notice>{t("sessions.missing")}</Notice>
      ) : (
        <Loaded query={query} lines={4} height={72}>
          {(session) => <Told key={session.id} session={session} />}
        </Loaded>
      )}
    </Page>
  );
}

function Told({ session }: { session: SessionInfo }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const name = session.session_name;
  const prompts = usePrompts(name, !session.completed_at);
  const { messages } = useMessages(name);
  return (
    <Stack gap="lg">
      <Card component="section" aria-label={t("sessions.facts")}>
        <Facts
          facts={[
            [t("sessions.status"), <SessionBadge key="status" status={session.status} />],
            [t("sessions.definition"), t("sessions.of", { workflow: session.workflow_name, revision: session.definition_revision })],
            [t("sessions.by"), actorName(session.created_by).name],
            [t("sessions.started"), <When key="at" at={session.created_at} as="exact" />],
            session.run_id && may("runs:read") && [
              t("runs.one"),
              <TextLink key="run" to="/runs/$runId" params={{ runId: session.run_id }}>
                {session.run_id}
              </TextLink>,
            ],
            session.completed_at && [t("sessions.ended"), <When key="end" at={session.completed_at} as="exact" />],
          ]}
        />
      </Card>
      {session.error_message && (
        <Alert color="rust" title={t("sessions.failed_with")}>
          {session.error_message}
        </Alert>
      )}
      {prompts.data?.map((prompt) => <Prompt key={prompt.prompt_id} session={name} prompt={prompt} />)}
      <Tabs
        value={view.tab ?? "conversation"}
        onChange={(tab) => void navigate({ search: tab === "history" || tab === "graph" ? { tab } : {}, replace: true, resetScroll: false })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="conversation">{t("sessions.conversation")}</Tabs.Tab>
          <Tabs.Tab value="graph">{t("sessions.graph")}</Tabs.Tab>
          <Tabs.Tab value="history">{t("sessions.history")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="conversation">
          <Stack>
            <Conversation messages={messages} />
            {session.output_data !== null && session.output_data !== undefined && <Json value={session.output_data} label={t("sessions.output")} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="graph">
          <SessionGraph session={session} messages={messages} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History
            session={name}
            waiting={session.status === "waiting_for_input"}
            chosen={view.checkpoint}
            onChoose={(checkpoint) => void navigate({ search: { tab: "history", checkpoint }, replace: true, resetScroll: false })}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Cancel({ name }: { name: string }) {
  const { t } = useTranslation();
  const cancel = useCancelSession(name);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <Group>
      <ActionButton needs="sessions:write" variant="default" onClick={() => setAsking(true)}>
        {t("sessions.cancel")}
      </ActionButton>
      <Confirm
        opened={asking}
        title={t("sessions.cancel_title")}
        action={t("sessions.cancel")}
        dismiss={t("sessions.keep")}
        danger
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate(reason.trim() || t("sessions.cancel_default"), { onSuccess: close })}
        onClose={close}
      >
        {t("sessions.cancel_text")}
        <TextInput mt="md" label={t("sessions.reason")} maxLength={1000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      </Confirm>
    </Group>
  );
}
