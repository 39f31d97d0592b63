/** A newer skeleton of the vendor beside what an organisation made: theirs, yours, and where the two are in each other's way. */
import { Alert, Badge, Button, Card, Group, Modal, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRebase, useResolve, useUpgrade } from "../api/definitions";
import type { Definition } from "../api/types";
import { slotTitle } from "../canvas/slotTitle";
import { isObject, type Json, type JsonObject } from "../json/json";
import { ActionButton } from "../ui/ActionButton";
import { Loaded } from "../ui/Loaded";
import { ProblemAlert } from "../ui/ProblemAlert";
import rows from "../ui/RowTable.module.css";
import { sentenceCase } from "../ui/sentenceCase";
import { ChangeList } from "./Changes";

const COLOURS = { unchanged: "slate", theirs: "slate", yours: "kelp", both: "kelp", conflict: "rust" } as const;

/** What carrying it over would mean, slot by slot; nothing is changed before one says so, and then as a new draft. */
export function UpgradeDialog({ source, onClose }: { source: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = useUpgrade(source);
  const rebase = useRebase();
  const carry = () => rebase.mutate(source, { onSuccess: ({ draft }) => void navigate({ to: "/workflows/$definitionId", params: { definitionId: draft.id } }) });
  return (
    <Modal opened onClose={onClose} size="xl" title={t("builder.upgrade_title")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Loaded query={query} lines={4}>
        {(upgrade) => (
          <Stack>
            <Text>{t("builder.upgrade_text", { from: upgrade.from_version, to: upgrade.to_version })}</Text>
            <Table className={rows.table} aria-label={t("builder.slots")}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("canvas.slot")}</Table.Th>
                  <Table.Th>{t("builder.upgrade_state")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {upgrade.slots.map(({ slot, state, conflict }) => (
                  <Table.Tr key={slot}>
                    <Table.Td className={rows.main} data-label={t("canvas.slot")}>
                      {slotTitle(slot)}
                    </Table.Td>
                    <Table.Td data-label={t("builder.upgrade_state")}>
                      <Badge color={COLOURS[state]}>{t(`builder.upgrade_${state}`)}</Badge>
                      {conflict && (
                        <Text size="sm" c="dimmed" lang="en">
                          {why(conflict as Json)}
                        </Text>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {upgrade.skeleton.slots.length > 0 && (
              <details>
                <summary>{t("builder.upgrade_vendor")}</summary>
                {upgrade.skeleton.slots.map(({ slot, changes }) => (
                  <ChangeList key={slot} changes={changes} />
                ))}
              </details>
            )}
            {rebase.isError && <ProblemAlert error={rebase.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <ActionButton needs="processes:design" loading={rebase.isPending} onClick={carry}>
                {t("builder.upgrade_carry")}
              </ActionButton>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

interface HeldBackProps {
  definition: Definition;
  revision: number;
  client: string;
  slots: readonly string[];
  readOnly: boolean;
  /** Shows a slot on the drawing. */
  onShow: (slot: string) => void;
  onResolved: (made: Definition) => void;
}

/** What a rebase held back: each is decided about here, before anything is published. */
export function HeldBack({ definition, revision, client, slots, readOnly, onShow, onResolved }: HeldBackProps) {
  const { t } = useTranslation();
  const held = Object.entries((definition.held_back ?? {}) as JsonObject);
  if (held.length === 0 || definition.status !== "draft") return null;
  return (
    <Alert color="ochre" title={t("builder.held_back")}>
      <Stack gap="sm">
        <Text size="sm">{t("builder.held_back_hint")}</Text>
        {held.map(([slot, about]) => (
          <OneHeldBack key={slot} slot={slot} about={about ?? null} {...{ definition, revision, client, slots, readOnly, onShow, onResolved }} />
        ))}
      </Stack>
    </Alert>
  );
}

function OneHeldBack({ slot, about, definition, revision, client, slots, readOnly, onShow, onResolved }: HeldBackProps & { slot: string; about: Json }) {
  const { t } = useTranslation();
  const resolve = useResolve();
  const [into, setInto] = useState(slots.includes(slot) ? slot : (slots[0] ?? slot));
  const steps = isObject(about) && isObject(about.patch) && Array.isArray(about.patch.nodes) ? about.patch.nodes.filter(isObject) : [];
  const take = (choice: "theirs" | "yours") =>
    resolve.mutate(
      { id: definition.id, slot, revision, take: choice, client, ...(choice === "yours" && into !== slot && { into }) },
      {
        onSuccess: (made) => {
          onResolved(made);
          onShow(choice === "yours" ? into : (slots.includes(slot) ? slot : (slots[0] ?? slot)));
        },
      },
    );
  return (
    <Card padding="sm" component="section" aria-label={slotTitle(slot)}>
      <Text fw={600}>{slotTitle(slot)}</Text>
      <Text size="sm" lang="en">
        {isObject(about) ? why(about.conflict ?? null) : ""}
      </Text>
      <Text size="sm" c="dimmed">
        {t("builder.held_back_steps", { steps: steps.map(({ name, id }) => (typeof name === "string" ? name : typeof id === "string" ? id : "")).join(", ") })}
      </Text>
      {!readOnly && (
        <Group align="flex-end" mt="xs" gap="sm">
          <Button size="xs" variant="default" loading={resolve.isPending} onClick={() => take("theirs")}>
            {t("builder.take_theirs")}
          </Button>
          <NativeSelect size="xs" label={t("builder.into_slot")} value={into} data={slots.map((value) => ({ value, label: slotTitle(value) }))} onChange={(event) => setInto(event.currentTarget.value)} />
          <Button size="xs" loading={resolve.isPending} onClick={() => take("yours")}>
            {t("builder.take_yours")}
          </Button>
        </Group>
      )}
      {resolve.isError && <ProblemAlert error={resolve.error} />}
    </Card>
  );
}

const why = (conflict: Json): string => (isObject(conflict) ? sentenceCase(typeof conflict.message === "string" ? conflict.message : typeof conflict.reason === "string" ? conflict.reason : "") : "");
