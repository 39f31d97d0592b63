/** The rest of the filter: key, error, payload and time. Open when one of them is in force, so that nothing narrows unseen. */
import { Button, Group, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { payloadOf, type RunFilter, runFilter } from "./filter";

interface Props {
  filter: RunFilter;
  onChange: (filter: RunFilter) => void;
}

const NAMES = ["key", "error", "payload", "since", "until"] as const;
type Name = (typeof NAMES)[number];

export function MoreFilters({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const used = NAMES.some((name) => filter[name] !== undefined);
  const [opened, setOpened] = useState(false);
  const labels: Record<Name, string> = {
    key: t("runs.key"),
    error: t("runs.error_filter"),
    payload: t("runs.payload_filter"),
    since: t("runs.since_filter"),
    until: t("runs.until_filter"),
  };
  if (!opened && !used) {
    return (
      <Button variant="subtle" leftSection={<IconFilter size={16} aria-hidden="true" />} onClick={() => setOpened(true)}>
        {t("runs.more_filters")}
      </Button>
    );
  }
  return (
    <Group gap="sm" align="flex-start" w="100%">
      {NAMES.map((name) => (
        <Field key={name} name={name} label={labels[name]} value={filter[name] ?? ""} onChange={(text) => onChange(runFilter({ ...filter, [name]: text }))} />
      ))}
    </Group>
  );
}

function Field({ name, label, value, onChange }: { name: Name; label: string; value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const moment = name === "since" || name === "until";
  const shown = moment ? localOf(value) : value;
  const [text, setText] = useState(shown);
  const [seen, setSeen] = useState(shown);
  // The address can change without this field.
  if (seen !== shown) {
    setSeen(shown);
    if (shown !== text.trim()) setText(shown);
  }
  const narrow = useDebouncedCallback((typed: string) => onChange(moment && typed ? new Date(typed).toISOString() : typed), 300);
  const broken = name === "payload" && text.trim() !== "" && !payloadOf(text);
  return (
    <TextInput
      label={label}
      size="sm"
      type={moment ? "datetime-local" : "text"}
      spellCheck={false}
      value={text}
      error={broken && t("operations.payload_invalid")}
      style={{ flex: "1 1 12rem" }}
      onChange={(event) => {
        setText(event.currentTarget.value);
        narrow(event.currentTarget.value);
      }}
    />
  );
}

/** An instant as the field for local times writes it. */
export function localOf(instant: string): string {
  const time = new Date(instant);
  if (instant === "" || Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
