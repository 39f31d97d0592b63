/** What the list of runs is narrowed to: a status, and the beginning of a type. */
import { Autocomplete, Button, Group, NativeSelect } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRunStats } from "../../api/queries";
import { isFiltered, RUN_STATUSES, type RunFilter, runFilter, runStatus } from "./filter";
import { MoreFilters } from "./MoreFilters";
import { typesOf } from "./state";

interface Props {
  filter: RunFilter;
  live: boolean;
  onChange: (filter: RunFilter) => void;
}

export function RunFilterBar({ filter, live, onChange }: Props) {
  const { t } = useTranslation();
  const stats = useRunStats(live);
  const [prefix, setPrefix] = useState(filter.prefix ?? "");
  const [shown, setShown] = useState(filter.prefix);
  // The address can change without this field: a link from a schedule.
  if (shown !== filter.prefix) {
    setShown(filter.prefix);
    if (filter.prefix !== prefix.trim()) setPrefix(filter.prefix ?? "");
  }
  const narrow = useDebouncedCallback((text: string) => onChange(runFilter({ ...filter, prefix: text })), 250);
  const filtered = isFiltered(filter);
  return (
    <Group p="md" gap="sm" align="flex-end">
      <NativeSelect
        aria-label={t("runs.status")}
        value={filter.status ?? ""}
        data={[
          { value: "", label: t("runs.status_any") },
          ...RUN_STATUSES.map((status) => ({ value: status, label: t(`runs.status_${status}`) })),
        ]}
        onChange={(event) => onChange(runFilter({ ...filter, status: runStatus(event.currentTarget.value) }))}
        w={{ base: "100%", xs: "12rem" }}
      />
      <Autocomplete
        aria-label={t("runs.type_filter")}
        placeholder={t("runs.type_placeholder")}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        data={typesOf(stats.data ?? [])}
        value={prefix}
        onChange={(text) => {
          setPrefix(text);
          narrow(text);
        }}
        limit={12}
        spellCheck={false}
        style={{ flex: "1 1 16rem", maxWidth: "26rem" }}
      />
      <MoreFilters filter={filter} onChange={onChange} />
      {filtered && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => {
            setPrefix("");
            onChange({});
          }}
        >
          {t("audit.clear_filter")}
        </Button>
      )}
    </Group>
  );
}
