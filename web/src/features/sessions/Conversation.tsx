/** What was said and done in a session, in order, as it comes. What tools gave is folded away until somebody wants it. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SessionMessage } from "../../api/sessions";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { ownWords, spokenOf } from "./messages";
import classes from "./Conversation.module.css";

export function Conversation({ messages }: { messages: readonly SessionMessage[] }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.messages} aria-label={t("sessions.conversation")}>
      {messages.map((message) => (
        <Line key={message.sequence_number} message={message} />
      ))}
    </ol>
  );
}

function Line({ message }: { message: SessionMessage }) {
  const { t } = useTranslation();
  const { kind, text, by, share, trace } = spokenOf(message);
  const who = by ? actorName(by).name : t(`sessions.said_${kind}`);
  const own = ownWords(message);
  if (kind === "system" || kind === "progress") {
    return (
      <li className={classes.message} data-kind={kind}>
        {own ? t(`sessions.told_${own.told}`, { step: own.step }) : share === null ? text : t("sessions.progress", { text, percent: Math.round(share * 100) })}
      </li>
    );
  }
  return (
    <li className={classes.message} data-kind={kind}>
      <Text size="xs" c="dimmed">
        {who} · <When at={message.timestamp} as="clock" />
      </Text>
      {kind === "tool" ? <Folded label={t("sessions.tool_result")} text={text} /> : text}
      {trace && <Folded label={t("sessions.trace")} text={trace} />}
    </li>
  );
}

function Folded({ label, text }: { label: string; text: string }) {
  return (
    <details>
      <summary>{label}</summary>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} role="region" aria-label={label} style={{ overflow: "auto", maxHeight: "24rem" }}>
        {text}
      </pre>
    </details>
  );
}
