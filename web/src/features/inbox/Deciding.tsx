/**
 * The buttons that decide. Nothing is shown as decided before the server has said so; when somebody was faster, what they changed is
 * shown instead and nothing is decided. A reason that was begun is kept until it is sent.
 */
import { Button, Group, Menu, Stack, Textarea } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClaim, useDecide } from "../../api/people";
import { asProblem } from "../../api/problem";
import type { DecisionBody, InboxItem, RequestDetail } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { actorName } from "../audit/sentence";
import classes from "./DecisionCard.module.css";
import { HandOver } from "./HandOver";
import { useKeptText } from "./keptText";

export interface DecidingHandle {
  approve: () => void;
  reject: () => void;
}

interface Props {
  ref?: Ref<DecidingHandle> | undefined;
  item: InboxItem;
  detail: RequestDetail;
  /** Somebody was faster: nothing was decided. With the server's words. */
  onOvertaken: (detail: string | undefined) => void;
  onDecided: (item: InboxItem, words: string) => void;
}

type Verdict = DecisionBody["decision"];

export function Deciding({ ref, item, detail, onOvertaken, onDecided }: Props) {
  const { t } = useTranslation();
  const { tenant, me, may } = useSignedIn();
  const decide = useDecide();
  const claim = useClaim();
  const [reason, write, forget] = useKeptText(`${tenant}.${me.name}.reason.${item.id}`);
  const [against, setAgainst] = useState(reason !== "");
  const [missing, setMissing] = useState(false);
  const [handing, setHanding] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { request } = detail;
  const claimedByMe = request.claimed_by !== null && actorName(request.claimed_by).name === me.name;
  const claimedByOther = request.claimed_by !== null && !claimedByMe;

  const send = (decision: Verdict) => {
    if (decide.isPending) return;
    const words = reason.trim();
    if ((decision === "rejected" || decision === "returned") && words === "") {
      setAgainst(true);
      setMissing(true);
      requestAnimationFrame(() => field.current?.focus());
      return;
    }
    decide.mutate(
      {
        ...{ id: item.id, decision, entity_version: item.entity_version, content_hash: request.content_hash },
        ...{ reason: words || null, on_behalf_of: item.how === "delegated" ? actorName(item.seat).name : null },
      },
      {
        onSuccess: () => {
          forget();
          onDecided(item, t(`inbox.said_${decision}`, { title: item.title }));
        },
        onError: (error) => {
          const refused = asProblem(error);
          if (refused.status === 409) onOvertaken(refused.detail);
        },
      },
    );
  };
  const startAgainst = () => {
    setAgainst(true);
    requestAnimationFrame(() => field.current?.focus());
  };
  useImperativeHandle(ref, () => ({ approve: () => send("approved"), reject: startAgainst }));

  const problem = decide.isError ? asProblem(decide.error) : null;
  return (
    <Stack gap="sm">
      {problem && problem.status !== 409 && <ProblemAlert error={decide.error} />}
      {claim.isError && <ProblemAlert error={claim.error} />}
      {against && (
        <Textarea
          ref={field}
          label={t("inbox.reason")}
          description={t("inbox.reason_hint")}
          autosize
          minRows={2}
          maxLength={4000}
          value={reason}
          error={missing && reason.trim() === "" ? t("inbox.reason_missing") : undefined}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      <div className={classes.buttons} role="group" aria-label={t("inbox.decide")}>
        {against ? (
          <>
            <Button color="rust.6" loading={decide.isPending && decide.variables.decision === "rejected"} onClick={() => send("rejected")}>
              {t("inbox.reject")}
            </Button>
            <Button variant="default" loading={decide.isPending && decide.variables.decision === "returned"} onClick={() => send("returned")}>
              {t("inbox.return")}
            </Button>
            <Button
              variant="subtle"
              onClick={() => {
                setAgainst(false);
                setMissing(false);
              }}
            >
              {t("common.cancel")}
            </Button>
          </>
        ) : (
          <>
            <Button loading={decide.isPending} disabled={claimedByOther} onClick={() => send("approved")} aria-keyshortcuts="a">
              {t("inbox.approve")}
              <kbd className={classes.key} aria-hidden="true">
                a
              </kbd>
            </Button>
            <Button variant="default" disabled={claimedByOther || decide.isPending} onClick={startAgainst} aria-keyshortcuts="r">
              {t("inbox.reject")}
              <kbd className={classes.key} aria-hidden="true">
                r
              </kbd>
            </Button>
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <Button variant="default" px="sm" aria-label={t("inbox.more")}>
                  <IconDots size={18} aria-hidden="true" />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {request.claimed_by === null && (
                  <Menu.Item onClick={() => claim.mutate({ id: item.id, claim: true })}>{t("inbox.claim")}</Menu.Item>
                )}
                {(claimedByMe || (claimedByOther && may("processes:operate"))) && (
                  <Menu.Item onClick={() => claim.mutate({ id: item.id, claim: false })}>{t("inbox.release")}</Menu.Item>
                )}
                {request.may_delegate && <Menu.Item onClick={() => setHanding(true)}>{t("inbox.hand_over")}</Menu.Item>}
                <Menu.Item onClick={() => send("abstained")}>{t("inbox.abstain")}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        )}
      </div>
      <Group>{handing && <HandOver item={item} detail={detail} onClose={() => setHanding(false)} onDone={onDecided} />}</Group>
    </Stack>
  );
}
