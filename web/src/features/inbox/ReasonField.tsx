/** Where the reason of a rejection is written; it comes when somebody is about to write one. */
import { Textarea } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  value: string;
  missing: boolean;
  /** Counts up when the field should be where typing goes. */
  focused: number;
  onChange: (value: string) => void;
}

export function ReasonField({ value, missing, focused, onChange }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focused > 0) field.current?.focus();
  }, [focused]);
  return (
    <Textarea
      ref={field}
      label={t("inbox.reason")}
      description={t("inbox.reason_hint")}
      autosize
      minRows={2}
      maxLength={4000}
      value={value}
      error={missing ? t("inbox.reason_missing") : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
