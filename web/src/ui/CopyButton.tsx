/** Copies a text and says so, to eyes and ears. */
import { ActionIcon, Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Hint } from "./Hint";

interface Props {
  text: string;
  label: string;
  /** A whole button instead of a small icon. */
  wide?: boolean;
}

export function CopyButton({ text, label, wide = false }: Props) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2500 });
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  const said = clipboard.copied ? t("common.copied") : label;
  if (wide) {
    return (
      <Button leftSection={<Icon size={16} aria-hidden="true" />} onClick={() => clipboard.copy(text)} aria-live="polite">
        {said}
      </Button>
    );
  }
  return (
    <Hint label={said}>
      <ActionIcon variant="subtle" color="slate" aria-label={said} onClick={() => clipboard.copy(text)}>
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    </Hint>
  );
}
