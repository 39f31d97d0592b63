/** What may be done with a document now, as buttons; what may not, each with why. Nothing is shown as done before it is. */
import { Button, Group, List, Modal, Spoiler, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMoveDocument } from "../../api/documents";
import type { Document } from "../../api/types";
import { spoken } from "../../forms/schema";
import { useSignedIn } from "../../session/SignedIn";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { type Contract, type Move, movesOf, stateTitle } from "./contract";

interface Props {
  document: Document;
  contract: Contract;
}

export function Moves({ document, contract }: Props) {
  const { t } = useTranslation();
  const { may, me } = useSignedIn();
  const [asking, setAsking] = useState<Move | null>(null);
  const moves = movesOf(contract, document.doc_status, { may, roles: me.roles });
  const allowed = moves.filter(({ refusal }) => refusal === null);
  const others = moves.filter(({ refusal }) => refusal !== null);
  return (
    <Stack gap="xs">
      {allowed.length > 0 && (
        <Group gap="sm" role="group" aria-label={t("documents.actions")}>
          {allowed.map((move) => (
            <Button
              key={move.transition.name}
              variant={move.transition.kind === "forward" ? "filled" : "default"}
              onClick={() => setAsking(move)}
            >
              {spoken(move.transition.name)}
              {move.transition.kind !== "forward" && " …"}
            </Button>
          ))}
        </Group>
      )}
      {others.length > 0 && (
        <Spoiler
          maxHeight={0}
          showLabel={t("documents.why_not")}
          hideLabel={t("documents.why_not_hide")}
          styles={{ control: { fontSize: "var(--mantine-font-size-sm)" } }}
        >
          <List size="sm" mb="xs">
            {others.map(({ transition, refusal }) => (
              <List.Item key={transition.name}>
                <b>{spoken(transition.name)}</b>: {refusal && t(`documents.refused_${refusal.code}`, { detail: refusal.detail })}
              </List.Item>
            ))}
          </List>
        </Spoiler>
      )}
      {asking && <Ask move={asking} document={document} contract={contract} onClose={() => setAsking(null)} />}
    </Stack>
  );
}

function Ask({ move: { transition }, document, contract, onClose }: Props & { move: Move; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useMoveDocument();
  const [reason, setReason] = useState("");
  const target = stateTitle(contract, transition.to);
  const submit = () =>
    change.mutate(
      { id: document.id, version: document.entity_version, transition: transition.name, reason: reason.trim() || null },
      {
        onSuccess: (moved) => {
          onClose();
          done(t("documents.moved", { state: stateTitle(contract, moved.doc_status) }));
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={t("documents.move_title", { move: spoken(transition.name) })} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t(transition.kind === "cancel" ? "documents.move_cancel" : "documents.move_text", { state: target, version: document.entity_version })}</Text>
        <Textarea
          label={t("documents.reason")}
          description={t("documents.reason_hint")}
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {change.isError && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("documents.not_now")}
          </Button>
          <Button {...(transition.kind === "cancel" && { color: "rust.6" })} loading={change.isPending} onClick={submit} data-autofocus>
            {spoken(transition.name)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
