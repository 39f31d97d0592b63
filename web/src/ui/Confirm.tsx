/** Asks before something is done that takes something away; shows what went wrong in the same place. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "./ProblemAlert";

interface Props {
  opened: boolean;
  title: string;
  action: string;
  /** What closes it without doing anything; "Cancel" unless that is the very thing asked about. */
  dismiss?: string;
  children: ReactNode;
  danger?: boolean;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ opened, title, action, dismiss, children, danger = false, busy, error, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text component="div">{children}</Text>
        {error !== null && error !== undefined && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss ?? t("common.cancel")}
          </Button>
          <Button {...(danger && { color: "rust.6" })} loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
