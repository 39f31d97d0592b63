/** One delivery: what was sent, what came back, what it waits for, and what can be done about it. */
import { Anchor, Drawer, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useReplayLetter, useSkipLetter } from "../../api/operate";
import { ActionButton } from "../../ui/ActionButton";
import { Facts } from "../../ui/Facts";
import { Json } from "../../ui/Json";
import { TextLink } from "../../ui/LinkButton";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { TraceId } from "../../ui/TraceId";
import { When } from "../../ui/When";
import { LetterBadge } from "./LetterTable";
import { aggregateOf, type AnyLetter } from "./letters";
import { signatures } from "./view";

interface Props {
  letter: AnyLetter | null;
  onClose: () => void;
  onAggregate: (aggregate: string) => void;
}

export function Letter({ letter, onClose, onAggregate }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer opened={letter !== null} onClose={onClose} title={letter?.type ?? ""} size="lg" closeButtonProps={{ "aria-label": t("common.close") }}>
      {letter && <Told key={letter.id} letter={letter} onClose={onClose} onAggregate={onAggregate} />}
    </Drawer>
  );
}

function Told({ letter, onClose, onAggregate }: Props & { letter: AnyLetter }) {
  const { t } = useTranslation();
  const of = letter.queue === "effects" ? letter.effect.instance_id : letter.queue === "engine" ? letter.letter.instance_id : null;
  const signed = letter.queue === "effects" ? signatures(letter.effect.response) : [];
  return (
    <Stack>
      <Facts
        facts={[
          [t("runs.status"), <LetterBadge key="status" status={letter.status} />],
          [t("runs.attempts"), letter.attempts],
          letter.error && [t("deliveries.reason"), <span key="error" lang="en">{letter.error}</span>],
          letter.queue === "engine" && letter.letter.needs && [t("deliveries.needs"), <span key="needs" lang="en">{letter.letter.needs}</span>],
          [t("deliveries.made"), <When key="made" at={letter.at} as="exact" />],
          letter.by && [t("runs.created_by"), letter.by],
          letter.queue === "outbox" && [
            t("deliveries.order"),
            <Anchor key="order" component="button" type="button" ta="left" onClick={() => onAggregate(aggregateOf(letter.event))}>
              {t("deliveries.place", { seq: letter.event.seq, aggregate: aggregateOf(letter.event) })}
            </Anchor>,
          ],
          letter.queue === "outbox" && letter.event.blocked && [t("deliveries.waits"), t("deliveries.blocked")],
          letter.queue === "outbox" && letter.event.next_attempt_at && !letter.dead && [t("deliveries.next"), <When key="next" at={letter.event.next_attempt_at} as="exact" />],
          letter.queue === "outbox" && letter.event.published_at && [t("deliveries.sent"), <When key="sent" at={letter.event.published_at} as="exact" />],
          letter.queue === "outbox" && letter.event.trace_parent && [t("audit.trace"), <TraceId key="trace" of={letter.event.trace_parent} />],
          letter.queue === "effects" && letter.effect.next_retry_at && (letter.dead || letter.status === "pending" || letter.status === "failed") && [t(letter.dead ? "deliveries.given_up" : "deliveries.next"), <When key="next" at={letter.effect.next_retry_at} as="exact" />],
          letter.queue === "effects" && letter.effect.completed_at && [t("deliveries.ended"), <When key="ended" at={letter.effect.completed_at} as="exact" />],
          letter.queue === "effects" && [t("deliveries.key"), <code key="key">{letter.effect.key}</code>],
          letter.queue === "effects" && letter.effect.trace_id && [t("audit.trace"), <TraceId key="trace" of={letter.effect.trace_id} />],
          ...signed.map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
          of && [
            t("deliveries.process"),
            <TextLink key="process" to="/processes/$instanceId" params={{ instanceId: of }}>
              {of}
            </TextLink>,
          ],
        ]}
      />
      <Actions letter={letter} onDone={onClose} />
      {letter.queue === "effects" && letter.effect.redacted && <Text c="dimmed">{t("deliveries.redacted")}</Text>}
      {letter.queue === "outbox" && <Part title={t("deliveries.data")} value={letter.event.data} />}
      {letter.queue === "effects" && <Part title={t("deliveries.request")} value={letter.effect.payload} />}
      {letter.queue === "effects" && letter.effect.response && <Part title={t("deliveries.response")} value={letter.effect.response} />}
    </Stack>
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <Text fw={500} size="sm" mb={4}>
        {title}
      </Text>
      <Json value={value} label={title} />
    </div>
  );
}

function Actions({ letter, onDone }: { letter: AnyLetter; onDone: () => void }) {
  const { t } = useTranslation();
  const replay = useReplayLetter();
  const skip = useSkipLetter();
  const [reason, setReason] = useState("");
  const needs = letter.queue === "outbox" ? "outbox:operate" : letter.queue === "effects" ? "effects:operate" : "processes:operate";
  const over = (words: string) => ({
    onSuccess: () => {
      onDone();
      done(words);
    },
  });
  if (!letter.dead && letter.queue !== "outbox") return null;
  return (
    <Stack gap="sm">
      {(replay.isError || skip.isError) && <ProblemAlert error={replay.error ?? skip.error} />}
      <Text size="sm" c="dimmed">
        {t(letter.dead ? "deliveries.about_replay" : "deliveries.about_again")}
      </Text>
      <Group>
        <ActionButton needs={needs} loading={replay.isPending} onClick={() => replay.mutate({ queue: letter.queue, id: letter.id }, over(t("deliveries.replayed")))}>
          {t("deliveries.replay")}
        </ActionButton>
      </Group>
      {letter.dead && (
        <>
          <Textarea label={t("deliveries.why_skip")} description={t(`deliveries.about_skip_${letter.queue}`)} autosize minRows={1} maxLength={1000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
          <Group>
            <ActionButton
              needs={needs}
              variant="default"
              refusal={reason.trim() === "" ? t("deliveries.say_why") : undefined}
              loading={skip.isPending}
              onClick={() => skip.mutate({ queue: letter.queue, id: letter.id, reason: reason.trim() }, over(t(`deliveries.skipped_${letter.queue}`)))}
            >
              {t("deliveries.skip")}
            </ActionButton>
          </Group>
        </>
      )}
    </Stack>
  );
}
