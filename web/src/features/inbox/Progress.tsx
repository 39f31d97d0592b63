/** Who decided what and when, and who is still waited for. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RequestDetail } from "../../api/types";
import { When } from "../../ui/When";
import { usePrincipals } from "../documents/usePrincipals";
import classes from "./Progress.module.css";
import { decidedWord, progressOf } from "./progress";

export function Progress({ detail, exact = false }: { detail: RequestDetail; exact?: boolean }) {
  const { t } = useTranslation();
  const names = usePrincipals();
  const { votes, given, needed, waiting } = progressOf(detail);
  const quorum = needed !== null && needed > 1 ? t("inbox.quorum", { given, needed }) : null;
  return (
    <div>
      <ul className={classes.votes}>
        {votes.map((vote) => (
          <li key={`${vote.by}.${vote.at}`} data-decision={vote.decision} data-voided={vote.voided || undefined}>
            <span className={classes.dot} aria-hidden="true" />
            <div>
              <Text size="sm">
                <b>{vote.seat ? t("story.for", { by: vote.by, seat: vote.seat }) : vote.by}</b>{" "}
                {t(`people.decided_${decidedWord(vote.decision)}`)} · <When at={vote.at} as={exact ? "exact" : "relative"} />
                {vote.voided && ` · ${t("story.was_voided")}`}
              </Text>
              {vote.reason && (
                <Text size="sm" fs="italic">
                  {vote.reason}
                </Text>
              )}
              {exact && vote.hash && (
                <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                  {t("documents.version_n", { version: vote.version })} · <code>{vote.hash}</code>
                </Text>
              )}
            </div>
          </li>
        ))}
        {waiting.length > 0 && (
          <li data-decision="waiting">
            <span className={classes.dot} aria-hidden="true" />
            <Text size="sm">
              {quorum !== null && `${quorum}, `}
              {t("documents.waits_for", { whom: names(waiting) })}
            </Text>
          </li>
        )}
      </ul>
      {waiting.length === 0 && quorum !== null && (
        <Text size="sm" c="dimmed" mt={6}>
          {quorum}
        </Text>
      )}
    </div>
  );
}
