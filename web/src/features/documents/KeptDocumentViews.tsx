/** The views of the list of documents that somebody keeps; the server has them, so they are there in any browser. */
import { Button, Popover } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteDocumentView, useDocumentViews, useSaveDocumentView } from "../../api/documents";
import { KeptViews } from "../../ui/KeptViews";
import { TextLink } from "../../ui/LinkButton";
import { type DocumentFilter, fromKept, kept } from "./filter";

export function KeptDocumentViews({ filter }: { filter: DocumentFilter }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const views = useDocumentViews();
  const save = useSaveDocumentView();
  const remove = useDeleteDocumentView();
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={300} trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden="true" />} onClick={() => setOpened(!opened)}>
          {t("inbox.views")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("inbox.views")}>
        <KeptViews
          views={views.data}
          saving={save.isPending}
          error={save.error ?? remove.error}
          onSave={(name, saved) => save.mutate({ name, filters: kept(filter) }, { onSuccess: saved })}
          onDelete={(name) => remove.mutate(name)}
          link={({ name, filters }) => (
            <TextLink to="/documents" search={fromKept(filters)} size="sm" onClick={() => setOpened(false)}>
              {name}
            </TextLink>
          )}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
