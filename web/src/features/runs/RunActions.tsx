/** Cancelling a run that is not finished, with the reason; enqueueing a finished one anew. */
import { Group, TextInput } from "@mantine/core";
import { IconRotateClockwise, IconX } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCancelRun, useRetryRun } from "../../api/administration";
import type { RunInfo } from "../../api/types";
import { useDeleteRun } from "../../api/operate";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { done } from "../../ui/notify";
import { isFinished } from "./state";

export function RunActions({ run }: { run: RunInfo }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"cancel" | "retry" | "delete" | null>(null);
  const finished = isFinished(run);
  return (
    <Group gap="xs">
      {finished ? (
        <ActionButton
          needs="runs:operate"
          leftSection={<IconRotateClockwise size={16} aria-hidden="true" />}
          onClick={() => setAsking("retry")}
        >
          {t("runs.retry")}
        </ActionButton>
      ) : (
        <ActionButton
          needs="runs:operate"
          variant="default"
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => setAsking("cancel")}
        >
          {t("runs.cancel")}
        </ActionButton>
      )}
      {finished && run.deleted_at === null && (
        <ActionButton needs="runs:operate" variant="default" onClick={() => setAsking("delete")}>
          {t("runs.delete")}
        </ActionButton>
      )}
      {asking === "delete" && <Delete run={run} opened onClose={() => setAsking(null)} />}
      <Cancel run={run} opened={asking === "cancel"} onClose={() => setAsking(null)} />
      <Retry run={run} opened={asking === "retry"} onClose={() => setAsking(null)} />
    </Group>
  );
}

interface Props {
  run: RunInfo;
  opened: boolean;
  onClose: () => void;
}

function Cancel({ run, opened, onClose }: Props) {
  const { t } = useTranslation();
  const cancel = useCancelRun();
  const [reason, setReason] = useState("");
  const close = () => {
    onClose();
    cancel.reset();
  };
  const submit = () =>
    cancel.mutate(
      { run_id: run.id, reason: reason.trim() || t("runs.cancel_default") },
      {
        onSuccess: () => {
          close();
          done(t("runs.cancelled"));
        },
      },
    );
  return (
    <Confirm
      opened={opened}
      title={t("runs.cancel_title")}
      action={t("runs.cancel")}
      dismiss={t("runs.keep")}
      danger
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={submit}
      onClose={close}
    >
      {t(run.status === "leased" ? "runs.cancel_running" : "runs.cancel_waiting")}
      <TextInput
        mt="md"
        label={t("runs.reason")}
        placeholder={t("runs.cancel_default")}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

function Delete({ run, opened, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useDeleteRun();
  const [reason, setReason] = useState("");
  const submit = () => {
    if (reason.trim() === "") return;
    remove.mutate(
      { run_id: run.id, reason: reason.trim() },
      {
        onSuccess: () => {
          onClose();
          done(t("runs.did_delete"));
        },
      },
    );
  };
  return (
    <Confirm
      opened={opened}
      title={t("runs.delete_title")}
      action={t("runs.delete")}
      dismiss={t("runs.keep")}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={submit}
      onClose={onClose}
    >
      {t("runs.delete_text")}
      <TextInput mt="md" label={t("runs.reason")} required maxLength={1000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Confirm>
  );
}

function Retry({ run, opened, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const retry = useRetryRun();
  const close = () => {
    onClose();
    retry.reset();
  };
  const submit = () =>
    retry.mutate(run.id, {
      onSuccess: ({ id }) => {
        close();
        done(t("runs.retried"));
        void navigate({ to: "/runs/$runId", params: { runId: id } });
      },
    });
  return (
    <Confirm
      opened={opened}
      title={t("runs.retry_title")}
      action={t("runs.retry")}
      busy={retry.isPending}
      error={retry.error}
      onConfirm={submit}
      onClose={close}
    >
      {t(run.status === "succeeded" ? "runs.retry_succeeded" : "runs.retry_text")}
    </Confirm>
  );
}
