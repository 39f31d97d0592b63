/** Lets somebody else be asked instead; the reason is written down. */
import { Autocomplete, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHandOver } from "../../api/people";
import { useUsers } from "../../api/queries";
import type { InboxItem } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ProblemAlert } from "../../ui/ProblemAlert";

interface Props {
  item: InboxItem;
  /** Who is no longer asked then; null for whoever hands it on. */
  of: string | null;
  onClose: () => void;
  onDone: (item: InboxItem, words: string) => void;
}

export function HandOver({ item, of, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const users = useUsers();
  const change = useHandOver();
  const [to, setTo] = useState("");
  const [reason, setReason] = useState("");
  const people = users.data?.pages.flatMap((page) => page.items).filter((user) => user.kind === "user" && user.deactivated_at === null && user.name !== me.name) ?? [];
  const submit = () =>
    change.mutate(
      { id: item.id, to: to.trim(), reason: reason.trim(), of },
      {
        onSuccess: () => {
          onClose();
          onDone(item, t("inbox.said_handed_over", { title: item.title, to: to.trim() }));
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={t("inbox.hand_over_title")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t("inbox.hand_over_text", { title: item.title })}</Text>
        <Autocomplete label={t("inbox.hand_over_to")} data={people.map(({ name }) => name)} value={to} onChange={setTo} required data-autofocus />
        <Textarea label={t("documents.reason")} autosize minRows={2} value={reason} onChange={(event) => setReason(event.currentTarget.value)} required />
        {change.isError && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button loading={change.isPending} disabled={to.trim() === "" || reason.trim() === ""} onClick={submit}>
            {t("inbox.hand_over")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
