/** What an operator may do to a process; what they may not stays in its place and says why. */
import { Button, Group, List, Menu, Modal, Stack, Text, Textarea } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Operation, useMigrate, useNewestDefinition, useOperate } from "../../api/processes";
import type { Instance, ProcessStep } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { sentenceCase } from "../../ui/sentenceCase";
import { isOver, type Offered, operationsOf } from "./operations";

interface Props {
  instance: Instance;
  steps: readonly ProcessStep[];
}

export function Operations({ instance, steps }: Props) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const [asking, setAsking] = useState<Offered | "migrate" | null>(null);
  const newest = useNewestDefinition(instance.entity_type);
  const offered = operationsOf(instance, steps, may);
  const newer = newest.data && newest.data.version > instance.definition_version ? newest.data : null;
  const migrates = newer !== null && !isOver(instance) && may("processes:operate");
  const why = (refusal: NonNullable<Offered["refusal"]>) => (refusal === "permission" ? t("common.needs_permission", { permission: "processes:operate" }) : t(`processes.refused_${refusal}`));
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
            {t("processes.operate")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((each) => (
            <Menu.Item key={each.operation} disabled={each.refusal !== null} {...(each.danger && each.refusal === null && { color: "rust" })} onClick={() => setAsking(each)}>
              {t(`processes.do_${each.operation}`)}
              {each.refusal && (
                <Text size="xs" c="dimmed">
                  {why(each.refusal)}
                </Text>
              )}
            </Menu.Item>
          ))}
          <Menu.Item disabled={!migrates} onClick={() => setAsking("migrate")}>
            {t("processes.do_migrate")}
            {!migrates && (
              <Text size="xs" c="dimmed">
                {!may("processes:operate") ? why("permission") : isOver(instance) ? why("over") : t("processes.refused_no_newer")}
              </Text>
            )}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === "migrate" && newer && <MigrateTo instance={instance} definition={newer} onClose={() => setAsking(null)} />}
      {asking && asking !== "migrate" && <Ask instance={instance} offered={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

function Ask({ instance, offered, onClose }: { instance: Instance; offered: Offered; onClose: () => void }) {
  const { t } = useTranslation();
  const operate = useOperate();
  const [reason, setReason] = useState("");
  const { operation } = offered;
  const submit = () =>
    operate.mutate(
      { id: instance.id, seen: instance.version, operation, reason: reason.trim() },
      {
        onSuccess: (answer) => {
          onClose();
          done(said(operation, answer));
        },
      },
    );
  const said = (what: Operation, answer: unknown) => {
    const differed = (answer as { differed?: string[] } | undefined)?.differed;
    if (what === "rebuild" && differed) return differed.length === 0 ? t("processes.rebuilt_same") : t("processes.rebuilt", { parts: differed.join(", ") });
    return t(`processes.did_${what}`);
  };
  return (
    <Modal opened onClose={onClose} title={t(`processes.do_${operation}`)} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t(`processes.about_${operation}`)}</Text>
        {offered.asks && <Textarea label={t("documents.reason")} autosize minRows={2} required value={reason} onChange={(event) => setReason(event.currentTarget.value)} data-autofocus />}
        {operate.isError && <ProblemAlert error={operate.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("documents.not_now")}
          </Button>
          <Button {...(offered.danger && { color: "rust.6" })} loading={operate.isPending} disabled={offered.asks && reason.trim() === ""} onClick={submit}>
            {t(`processes.do_${operation}`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** First what would happen, then, if it can, the move itself. */
function MigrateTo({ instance, definition, onClose }: { instance: Instance; definition: { id: string; version: number }; onClose: () => void }) {
  const { t } = useTranslation();
  const look = useMigrate();
  const move = useMigrate();
  const wanted = { id: instance.id, seen: instance.version, definition_id: definition.id, version: definition.version };
  const looked = look.data;
  const able = looked?.reasons.length === 0;
  return (
    <Modal opened onClose={onClose} title={t("processes.do_migrate")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t("processes.about_migrate", { from: instance.definition_version, to: definition.version })}</Text>
        {looked && <Text fw={600}>{t(able ? "processes.migrates" : "processes.migrates_not")}</Text>}
        {looked && !able && (
          <List size="sm" lang="en">
            {looked.reasons.map((reason) => (
              <List.Item key={reason}>{sentenceCase(reason)}</List.Item>
            ))}
          </List>
        )}
        {(look.isError || move.isError) && <ProblemAlert error={look.error ?? move.error} />}
        <Group justify="flex-end">
          <Button variant="default" loading={look.isPending} onClick={() => look.mutate({ ...wanted, dry_run: true })}>
            {t("processes.dry_run")}
          </Button>
          <Button
            disabled={!able}
            loading={move.isPending}
            onClick={() =>
              move.mutate(
                { ...wanted, dry_run: false },
                {
                  onSuccess: () => {
                    onClose();
                    done(t("processes.did_migrate"));
                  },
                },
              )
            }
          >
            {t("processes.do_migrate")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
