/** Approving many at once: first what would happen to each, then what did. Each is decided on the version that was seen. */
import { Badge, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useDecideMany, useTryMany } from "../../api/people";
import type { InboxItem } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { sentenceCase } from "../../ui/sentenceCase";
import { became, type BulkRefusal, decidable, planned } from "./bulk";

interface Props {
  items: readonly InboxItem[];
  /** Called with what no longer waits. */
  onClose: (gone: readonly string[]) => void;
}

const REFUSALS: readonly BulkRefusal[] = ["changed", "own", "closed", "claimed", "task", "refused"];

export function Bulk({ items, onClose }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const { mutate: look, data: tried, error: untried } = useTryMany();
  const decide = useDecideMany();
  useEffect(() => look(decidable(items)), [look, items]);
  const plan = tried ? planned(items, tried, me.name) : [];
  const able = plan.filter(({ refusal }) => refusal === null).map(({ item }) => item);
  const told = decide.data ? became(plan, decide.data, me.name) : plan;
  const gone = able.filter(({ id }) => decide.data?.get(id)?.decided).map(({ id }) => id);
  const over = decide.isSuccess;
  const failed = untried ?? decide.error;
  const close = () => onClose(gone);
  return (
    <Modal opened onClose={close} size="lg" title={t("inbox.bulk_title")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        {failed && <ProblemAlert error={failed} />}
        {!tried ? (
          !failed && <Text c="dimmed">{t("inbox.bulk_looking")}</Text>
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
        <List listStyleType="none" spacing="xs" styles={{ itemWrapper: { display: "block" }, itemLabel: { display: "block" } }}>
          {told.map(({ item, refusal, said }) => {
            const decided = decide.data?.get(item.id)?.decided != null;
            return (
              <List.Item key={item.id}>
                <Group justify="space-between" wrap="nowrap" align="flex-start">
                  <Text>{item.title}</Text>
                  {refusal !== null ? (
                    <Badge color="ochre">{t(`inbox.bulk_why_${refusal}`)}</Badge>
                  ) : decided ? (
                    <Badge>{t("people.status_approved")}</Badge>
                  ) : (
                    <Badge color="slate">{t("inbox.bulk_ready")}</Badge>
                  )}
                </Group>
                {said !== null && (
                  <Text size="sm" c="dimmed" lang="en">
                    {sentenceCase(said)}
                  </Text>
                )}
              </List.Item>
            );
          })}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {over ? t("common.close") : t("common.cancel")}
          </Button>
          {!over && (
            <Button loading={decide.isPending} disabled={able.length === 0} onClick={() => decide.mutate(able)} data-autofocus>
              {t("inbox.bulk_approve", { count: able.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
