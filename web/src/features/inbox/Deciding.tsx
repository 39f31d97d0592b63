/**
 * The buttons that decide. Nothing is shown as decided before the server has said so; when somebody was faster, what they changed is
 * shown instead and nothing is decided. A reason that was begun is kept until it is sent.
 */
import { Button, Skeleton, Stack } from "@mantine/core";
import { type Ref, Suspense, useImperativeHandle, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClaim, useDecide } from "../../api/people";
import { asProblem } from "../../api/problem";
import type { DecisionBody, InboxItem, RequestDetail } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { later } from "../../ui/later";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { actorName } from "../audit/actor";
import classes from "./DecisionCard.module.css";
import { useKeptText } from "./keptText";

const HandOver = later(() => import("./HandOver").then((module) => module.HandOver));
const loadReason = () => import("./ReasonField").then((module) => module.ReasonField);
const ReasonField = later(loadReason);
const prepareReason = () => void loadReason().catch(() => undefined);
const MoreMenu = later(() => import("./MoreMenu").then((module) => module.MoreMenu));

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
  const [focused, setFocused] = useState(0);
  const { request } = detail;
  const claimedByMe = request.claimed_by !== null && actorName(request.claimed_by).name === me.name;
  const claimedByOther = request.claimed_by !== null && !claimedByMe;
  const mayRelease = claimedByMe || (claimedByOther && may("processes:operate"));

  // One's own place one may hand on; that of a role, who operates.
  const place = detail.assignees.find(({ is_open, principal }) => is_open && !principal.startsWith("user:"))?.principal;
  const leaves = item.how === "mine" && request.may_delegate ? null : may("processes:operate") ? place : undefined;

  const send = (decision: Verdict) => {
    if (decide.isPending) return;
    const words = reason.trim();
    if ((decision === "rejected" || decision === "returned") && words === "") {
      setAgainst(true);
      setMissing(true);
      setFocused((times) => times + 1);
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
    setFocused((times) => times + 1);
  };
  useImperativeHandle(ref, () => ({ approve: () => send("approved"), reject: startAgainst }));

  const problem = decide.isError ? asProblem(decide.error) : null;
  return (
    <Stack gap="sm">
      {problem && problem.status !== 409 && <ProblemAlert error={decide.error} />}
      {claim.isError && <ProblemAlert error={claim.error} />}
      {against && (
        <Suspense fallback={<Skeleton height={104} />}>
          <ReasonField value={reason} missing={missing && reason.trim() === ""} focused={focused} onChange={write} />
        </Suspense>
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
            <Button variant="default" disabled={claimedByOther || decide.isPending} onClick={startAgainst} onPointerEnter={prepareReason} onFocus={prepareReason} aria-keyshortcuts="r">
              {t("inbox.reject")}
              <kbd className={classes.key} aria-hidden="true">
                r
              </kbd>
            </Button>
            <Suspense fallback={<Button variant="default" px="sm" disabled aria-label={t("inbox.more")} />}>
              <MoreMenu
                onClaim={request.claimed_by === null ? () => claim.mutate({ id: item.id, claim: true }) : undefined}
                onRelease={mayRelease ? () => claim.mutate({ id: item.id, claim: false }) : undefined}
                onHandOver={leaves === undefined ? undefined : () => setHanding(true)}
                onAbstain={() => send("abstained")}
              />
            </Suspense>
          </>
        )}
      </div>
      {handing && leaves !== undefined && (
        <Suspense fallback={null}>
          <HandOver item={item} of={leaves ?? null} onClose={() => setHanding(false)} onDone={onDecided} />
        </Suspense>
      )}
    </Stack>
  );
}
