/** Approving many at once: first what would happen to each, then what did. Each is decided by itself, on the version that was seen. */
import { Badge, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDecide, useFreshRequests } from "../../api/people";
import { asProblem } from "../../api/problem";
import type { InboxItem } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { sentenceCase } from "../../ui/sentenceCase";
import { type BulkRefusal, planned } from "./bulk";

interface Props {
  items: readonly InboxItem[];
  /** Called with what no longer waits. */
  onClose: (gone: readonly string[]) => void;
}

const REFUSALS: readonly BulkRefusal[] = ["changed", "own", "closed", "claimed", "task"];

export function Bulk({ items, onClose }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const { mutate: look, data: fresh, isPending: looking } = useFreshRequests();
  const decide = useDecide();
  const [results, setResults] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [busy, setBusy] = useState(false);
  useEffect(() => look(items.map(({ id }) => id)), [look, items]);
  const plan = fresh ? planned(items, fresh, me.name) : [];
  const able = plan.filter(({ refusal }) => refusal === null);
  const run = async () => {
    setBusy(true);
    for (const { item } of able) {
      const content_hash = fresh?.get(item.id)?.request.content_hash ?? null;
      const body = { id: item.id, decision: "approved" as const, entity_version: item.entity_version, content_hash };
      const failed = await decide.mutateAsync(body).then(
        () => null,
        (error: unknown) => sentenceCase(asProblem(error).detail ?? asProblem(error).code),
      );
      setResults((known) => new Map([...known, [item.id, failed]]));
    }
    setBusy(false);
  };
  const over = results.size > 0 && !busy;
  const gone = [...results].filter(([, failed]) => failed === null).map(([id]) => id);
  const close = () => onClose(gone);
  return (
    <Modal opened onClose={close} size="lg" title={t("inbox.bulk_title")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        {looking || !fresh ? (
          <Text c="dimmed">{t("inbox.bulk_looking")}</Text>
        ) : (
          <Text>
            {over
              ? t("inbox.bulk_done", { count: gone.length, total: plan.length })
              : [
                  t("inbox.bulk_able", { count: able.length }),
                  ...REFUSALS.flatMap((refusal) => {
                    const count = plan.filter((each) => each.refusal === refusal).length;
                    return count > 0 ? [t(`inbox.bulk_${refusal}`, { count })] : [];
                  }),
                ].join(", ")}
          </Text>
        )}
        <List listStyleType="none" spacing="xs">
          {plan.map(({ item, refusal }) => {
            const result = results.get(item.id);
            return (
              <List.Item key={item.id}>
                <Group justify="space-between" wrap="nowrap" align="flex-start">
                  <Text>{item.title}</Text>
                  {refusal !== null ? (
                    <Badge color="ochre">{t(`inbox.bulk_why_${refusal}`)}</Badge>
                  ) : result === undefined ? (
                    <Badge color="slate">{t("inbox.bulk_ready")}</Badge>
                  ) : result === null ? (
                    <Badge>{t("people.status_approved")}</Badge>
                  ) : (
                    <Text size="sm" c="var(--mantine-color-error)" lang="en">
                      {result}
                    </Text>
                  )}
                </Group>
              </List.Item>
            );
          })}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {over ? t("common.close") : t("common.cancel")}
          </Button>
          {!over && (
            <Button loading={busy} disabled={able.length === 0} onClick={() => void run()} data-autofocus>
              {t("inbox.bulk_approve", { count: able.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
