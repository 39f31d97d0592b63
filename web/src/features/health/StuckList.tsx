/** Processes that do not move, why, and what gets them going: rebuild, enqueue again, or, when nothing helps, let them fail. */
import { Group, Table, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOperate, useProcess, useStuck } from "../../api/processes";
import type { Stuck } from "../../api/types";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { done } from "../../ui/notify";
import rows from "../../ui/RowTable.module.css";
import { StuckWhy } from "../../ui/StuckWhy";
import { When } from "../../ui/When";

/** `usr:slot:submitted_to_approved:sales` is the node sales. */
const ownName = (node: string) => node.split(":").at(-1) ?? node;

const REPAIRS = ["rebuild", "enqueue", "fail"] as const;
type Repair = (typeof REPAIRS)[number];

export function StuckList() {
  const { t } = useTranslation();
  const query = useStuck(false);
  const [asking, setAsking] = useState<{ stuck: Stuck; repair: Repair } | null>(null);
  return (
    <Loaded query={query} lines={2} inset>
      {(stuck) => (
        <>
          {stuck.length === 0 ? (
            <Text c="dimmed" px="md" pb="md">
              {t("health.none_stuck")}
            </Text>
          ) : (
            <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("health.process")}</Table.Th>
                  <Table.Th>{t("health.why")}</Table.Th>
                  <Table.Th>{t("health.since")}</Table.Th>
                  <Table.Th>{t("health.repair")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {stuck.map((each) => (
                  <Table.Tr key={each.instance_id}>
                    <Table.Td className={rows.main}>
                      <TextLink to="/processes/$instanceId" params={{ instanceId: each.instance_id }}>
                        {each.workflow_id}
                      </TextLink>
                      <Text size="xs" c="dimmed">
                        {each.nodes.map(ownName).join(", ")}
                      </Text>
                    </Table.Td>
                    <Table.Td data-label={t("health.why")}>
                      <StuckWhy reasons={each.reasons ?? []} why={each.why} />
                    </Table.Td>
                    <Table.Td data-label={t("health.since")} className={rows.narrow}>
                      <When at={each.since} />
                    </Table.Td>
                    <Table.Td data-label={t("health.repair")}>
                      <Group gap={6}>
                        {REPAIRS.map((repair) => (
                          <ActionButton key={repair} needs="processes:operate" size="compact-sm" variant="default" onClick={() => setAsking({ stuck: each, repair })}>
                            {t(`processes.do_${repair}`)}
                          </ActionButton>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {asking && <Ask {...asking} onClose={() => setAsking(null)} />}
        </>
      )}
    </Loaded>
  );
}

/** The process is read first: what is done is done to the version that was there. */
function Ask({ stuck, repair, onClose }: { stuck: Stuck; repair: Repair; onClose: () => void }) {
  const { t } = useTranslation();
  const process = useProcess(stuck.instance_id, false);
  const operate = useOperate();
  const [reason, setReason] = useState("");
  const version = process.data?.version;
  const submit = () => {
    if (version === undefined || (repair === "fail" && reason.trim() === "")) return;
    operate.mutate(
      { id: stuck.instance_id, seen: version, operation: repair, reason: reason.trim() },
      {
        onSuccess: () => {
          onClose();
          done(t(`processes.did_${repair}`));
        },
      },
    );
  };
  return (
    <Confirm
      opened
      title={t(`processes.do_${repair}`)}
      action={t(`processes.do_${repair}`)}
      danger={repair === "fail"}
      busy={operate.isPending || process.isLoading}
      error={operate.error ?? process.error}
      onConfirm={submit}
      onClose={onClose}
    >
      {t(`processes.about_${repair}`)}
      {repair === "fail" && <Textarea mt="md" label={t("documents.reason")} autosize minRows={2} required value={reason} onChange={(event) => setReason(event.currentTarget.value)} />}
    </Confirm>
  );
}
