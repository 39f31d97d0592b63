/** What somebody often looks for, kept under a name: opened again, forgotten, and what is looked at now kept with the others. */
import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "./ProblemAlert";

export interface KeptView {
  readonly name: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

interface Props {
  views: readonly KeptView[] | undefined;
  /** What opens one. */
  link: (view: KeptView) => ReactNode;
  saving: boolean;
  error: unknown;
  onSave: (name: string, saved: () => void) => void;
  onDelete: (name: string) => void;
}

export function KeptViews({ views, link, saving, error, onSave, onDelete }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSave(name.trim(), () => setName(""));
  };
  return (
    <Stack gap={6} component="section" aria-label={t("inbox.views")}>
      <Text size="sm" fw={500}>
        {t("inbox.views")}
      </Text>
      {views?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("inbox.views_none")}
        </Text>
      )}
      {views?.map((each) => (
        <Group key={each.name} justify="space-between" wrap="nowrap" gap="xs">
          {link(each)}
          <ActionIcon variant="subtle" color="slate" size="sm" aria-label={t("inbox.view_delete", { name: each.name })} onClick={() => onDelete(each.name)}>
            <IconTrash size={14} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
      <form onSubmit={submit}>
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput size="xs" flex={1} label={t("inbox.view_name")} value={name} maxLength={128} onChange={(event) => setName(event.currentTarget.value)} />
          <Button type="submit" size="xs" variant="default" loading={saving} disabled={name.trim() === ""}>
            {t("inbox.view_save")}
          </Button>
        </Group>
      </form>
      {error !== null && error !== undefined && <ProblemAlert error={error} />}
    </Stack>
  );
}
