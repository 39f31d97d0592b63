/** What the list is narrowed to, and the views somebody keeps; it comes after the rows, which nobody should wait for. */
import { Badge, Button, Group, NativeSelect, Popover, Stack, TextInput } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes } from "../../api/documents";
import { useDeleteView, useInboxViews, useSaveView } from "../../api/people";
import type { InboxItem } from "../../api/types";
import { KeptViews } from "../../ui/KeptViews";
import { TextLink } from "../../ui/LinkButton";
import { actorName } from "../audit/actor";
import { contractOf } from "../documents/contract";
import { filterOf, fromKept, type InboxFilter, inboxView, type InboxView, kept } from "./filter";

interface Props {
  view: InboxView;
  items: readonly InboxItem[];
  onView: (view: InboxView) => void;
}

export function Tools({ view, items, onView }: Props) {
  const { t } = useTranslation();
  const contracts = useDocumentTypes();
  const [opened, setOpened] = useState(false);
  const narrow = (change: { [name in keyof InboxFilter]?: string }) => onView(inboxView({ tab: view.tab, ...filterOf(view), ...change }));
  const types = (contracts.data ?? []).map((info) => ({ value: info.entity_type, label: contractOf(info).title }));
  const requesters = [...new Set([...items.flatMap(({ requester }) => (requester ? [actorName(requester).name] : [])), ...(view.requester ? [view.requester] : [])])].sort();
  const count = Object.keys(filterOf(view)).filter((name) => name !== "type").length;
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={t("inbox.type_filter")}
        value={view.type ?? ""}
        data={[{ value: "", label: t("inbox.type_any") }, ...types]}
        onChange={(event) => narrow({ type: event.currentTarget.value })}
      />
      <Popover opened={opened} onChange={setOpened} position="bottom-start" width={300} trapFocus withinPortal shadow="md">
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFilter size={14} aria-hidden="true" />}
            rightSection={count > 0 ? <Badge size="xs">{count}</Badge> : undefined}
            onClick={() => setOpened(!opened)}
          >
            {t("inbox.filters")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t("inbox.filters")}>
          <Stack gap="sm">
            <NativeSelect
              size="xs"
              label={t("inbox.filter_kind")}
              value={view.kind ?? ""}
              data={[
                { value: "", label: t("inbox.kind_any") },
                { value: "approval", label: t("inbox.kind_approval") },
                { value: "task", label: t("inbox.kind_task") },
              ]}
              onChange={(event) => narrow({ kind: event.currentTarget.value })}
            />
            <NativeSelect
              size="xs"
              label={t("inbox.filter_requester")}
              value={view.requester ?? ""}
              data={[{ value: "", label: t("inbox.requester_any") }, ...requesters]}
              onChange={(event) => narrow({ requester: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              type="date"
              label={t("inbox.filter_due")}
              value={view.due_before ?? ""}
              onChange={(event) => narrow({ due_before: event.currentTarget.value })}
            />
            <Views view={view} onDone={() => setOpened(false)} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

function Views({ view, onDone }: { view: InboxView; onDone: () => void }) {
  const views = useInboxViews();
  const save = useSaveView();
  const remove = useDeleteView();
  return (
    <KeptViews
      views={views.data}
      saving={save.isPending}
      error={save.error ?? remove.error}
      onSave={(name, saved) => save.mutate({ name, filters: kept(view) }, { onSuccess: saved })}
      onDelete={(name) => remove.mutate(name)}
      link={({ name, filters }) => (
        <TextLink to="/inbox" search={fromKept(filters)} size="sm" onClick={onDone}>
          {name}
        </TextLink>
      )}
    />
  );
}
