/** The checkpoints of a session: what the state was at each, what it changed, and going on from there in a session of its own. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { useCheckpoints, useForkSession, useSessionState, useStorage } from "../../api/sessions";
import { ActionButton } from "../../ui/ActionButton";
import { Json } from "../../ui/Json";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { EditState } from "./EditState";

interface Props {
  session: string;
  /** Only what waits for a person can be changed by one. */
  waiting: boolean;
  chosen: string | undefined;
  onChoose: (checkpoint: string) => void;
}

export function History({ session, waiting, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const query = useCheckpoints(session);
  const storage = useStorage(session);
  return (
    <Stack>
      {storage.data && (
        <Text size="sm" c="dimmed">
          {t("sessions.storage", {
            count: storage.data.checkpoint_count,
            bytes: (storage.data.checkpoints + storage.data.channels + storage.data.writes + storage.data.messages).toLocaleString(formats()),
          })}
        </Text>
      )}
      <Loaded query={query}>
        {(checkpoints) => {
          const shown = checkpoints.find(({ checkpoint_id }) => checkpoint_id === chosen) ?? checkpoints[0];
          if (!shown) return <Notice>{t("sessions.no_checkpoints")}</Notice>;
          return (
            <>
              <Group gap="xs" role="group" aria-label={t("sessions.checkpoints")}>
                {[...checkpoints].reverse().map((each) => (
                  <Button
                    key={each.checkpoint_id}
                    size="compact-sm"
                    variant={each === shown ? "filled" : "default"}
                    aria-pressed={each === shown}
                    onClick={() => onChoose(each.checkpoint_id)}
                  >
                    {(each.step ?? 0) < 0 ? t("sessions.step_input") : t("sessions.step", { step: each.step ?? 0 })}
                  </Button>
                ))}
              </Group>
              <Moment key={shown.checkpoint_id} session={session} checkpoint={shown.checkpoint_id} at={shown.created_at} latest={shown === checkpoints[0]} waiting={waiting} />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

interface MomentProps {
  session: string;
  checkpoint: string;
  at: string;
  latest: boolean;
  waiting: boolean;
}

function Moment({ session, checkpoint, at, latest, waiting }: MomentProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = useSessionState(session, checkpoint);
  const fork = useForkSession(session);
  const [editing, setEditing] = useState(false);
  const start = () =>
    fork.mutate(checkpoint, { onSuccess: ({ session_name }) => void navigate({ to: "/sessions/$sessionName", params: { sessionName: session_name } }) });
  return (
    <Card component="section" aria-label={t("sessions.state")}>
      <Group justify="space-between">
        <When at={at} as="exact" />
        <Group gap="xs">
          {latest && (
            <ActionButton needs="sessions:operate" variant="default" refusal={waiting ? undefined : t("sessions.edit_waits")} onClick={() => setEditing(true)}>
              {t("sessions.edit_state")}
            </ActionButton>
          )}
          <ActionButton needs="sessions:operate" variant="default" loading={fork.isPending} onClick={start}>
            {t("sessions.fork")}
          </ActionButton>
        </Group>
      </Group>
      {fork.isError && <ProblemAlert error={fork.error} />}
      <Loaded query={query}>
        {({ state, changes }) => (
          <Stack mt="md">
            <Title order={2} size="h4">
              {t("sessions.changed")}
            </Title>
            {changes.length === 0 && <Text c="dimmed">{t("sessions.unchanged")}</Text>}
            {changes.map(({ channel, change, before, after }) => (
              <div key={channel}>
                <Text fw={500}>{channel}</Text>
                <Json value={change === "added" ? { after } : change === "removed" ? { before } : { before, after }} label={channel} />
              </div>
            ))}
            <Title order={2} size="h4">
              {t("sessions.state")}
            </Title>
            <Json value={state.values} label={t("sessions.values")} />
            {editing && <EditState session={session} state={state} onClose={() => setEditing(false)} />}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
