/** What the trail is narrowed to: a kind of object, or one object. */
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EVENT_KINDS, eventKind, type EventFilter, isObjectId } from "./filter";

interface Props {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
}

export function EventFilterBar({ filter, onChange }: Props) {
  const { t } = useTranslation();
  const [object, setObject] = useState(filter.object ?? "");
  const [shown, setShown] = useState(filter.object);
  const [touched, setTouched] = useState(false);
  // The address can change without this field: a link to another object's timeline.
  if (shown !== filter.object) {
    setShown(filter.object);
    setObject(filter.object ?? "");
  }
  const invalid = object.trim() !== "" && !isObjectId(object);

  const narrow = (text: string) => {
    setObject(text);
    const id = text.trim().toLowerCase();
    if (id === "" || isObjectId(id)) onChange({ ...(filter.kind && { kind: filter.kind }), ...(id && { object: id }) });
  };
  return (
    <Group align="flex-start" gap="md">
      <NativeSelect
        label={t("audit.kind")}
        value={filter.kind ?? ""}
        data={[
          { value: "", label: t("audit.kind_any") },
          ...EVENT_KINDS.map((kind) => ({ value: kind, label: t(`audit.kind_${kind}`) })),
        ]}
        onChange={(event) => {
          const kind = eventKind(event.currentTarget.value);
          onChange({ ...(kind && { kind }), ...(filter.object && { object: filter.object }) });
        }}
        w={{ base: "100%", xs: "14rem" }}
      />
      <TextInput
        label={t("audit.object")}
        placeholder={t("audit.object_placeholder")}
        value={object}
        onChange={(event) => narrow(event.currentTarget.value)}
        onBlur={() => setTouched(true)}
        error={touched && invalid && t("audit.object_invalid")}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        style={{ flex: "1 1 18rem", maxWidth: "28rem" }}
        spellCheck={false}
      />
      {(filter.kind !== undefined || filter.object !== undefined) && (
        <Button
          variant="subtle"
          mt={22}
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => {
            setObject("");
            onChange({});
          }}
        >
          {t("audit.clear_filter")}
        </Button>
      )}
    </Group>
  );
}
