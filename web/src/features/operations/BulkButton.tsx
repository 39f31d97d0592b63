/** One thing done to everything that matches a filter: first how many that are, then, if somebody says so, an operation that can be followed. */
import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkFilter, useMatching, useStartOperation } from "../../api/operate";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { type Kind, needsReason, wordOf } from "./view";

interface Props {
  kind: Kind;
  filter: BulkFilter;
  needs: string;
  refusal?: string | undefined;
}

export function BulkButton({ kind, filter, needs, refusal }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton needs={needs} refusal={refusal} variant="default" size="xs" onClick={() => setAsking(true)}>
        {t(`operations.all_${wordOf(kind)}`)}
      </ActionButton>
      {asking && <Ask kind={kind} filter={filter} onClose={() => setAsking(false)} />}
    </>
  );
}

function Ask({ kind, filter, onClose }: { kind: Kind; filter: BulkFilter; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const matching = useMatching(kind, filter, true);
  const start = useStartOperation();
  const [reason, setReason] = useState("");
  const asks = needsReason(kind);
  const count = matching.data?.count ?? 0;
  const submit = () =>
    start.mutate(
      { kind, filter, reason: asks ? reason.trim() : null },
      { onSuccess: ({ id }) => void navigate({ to: "/operations/$operationId", params: { operationId: id } }) },
    );
  return (
    <Modal opened onClose={onClose} title={t(`operations.all_${wordOf(kind)}`)} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t(`operations.about_${wordOf(kind)}`)}</Text>
        <Loaded query={matching} lines={1} height={24}>
          {(found) => (
            <Text fw={600} role="status">
              {found.capped ? t("operations.matching_more", { count: found.count }) : t("operations.matching", { count: found.count })}
            </Text>
          )}
        </Loaded>
        {asks && (
          <Textarea label={t("operations.reason")} autosize minRows={2} maxLength={1000} required value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
        )}
        {start.isError && <ProblemAlert error={start.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("operations.not_now")}
          </Button>
          <Button
            {...(asks && { color: "rust.6" })}
            loading={start.isPending}
            disabled={count === 0 || (asks && reason.trim() === "")}
            onClick={submit}
          >
            {t("operations.start", { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
