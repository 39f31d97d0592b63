/** Makes a schedule; while it is written, the server tells when it would fire, or what is wrong with it. */
import {
  Autocomplete,
  Button,
  Drawer,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCreateSchedule } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import { useCronFires, useRunStats } from "../../api/queries";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { sentenceCase } from "../../ui/sentenceCase";
import { typesOf } from "../runs/state";
import { isName } from "../users/search";
import { FireList } from "./FireList";
import { checkPayload, MISSED, OVERLAPS, ownTimeZone, type Preset, presetOf, PRESETS, timeZones } from "./state";

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (name: string) => void;
}

export function CreateSchedule({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t("schedules.create")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form
        onCancel={onClose}
        onCreated={(name) => {
          done(t("schedules.created", { name }));
          onClose();
          onCreated(name);
        }}
      />
    </Drawer>
  );
}

const FIELDS = ["name", "type", "cron", "timezone", "payload", "priority", "description"] as const;

const INITIAL = {
  name: "",
  type: "",
  description: "",
  cron: PRESETS.weekdays as string,
  timezone: ownTimeZone(),
  payload: "{}",
  missed: "once" as (typeof MISSED)[number],
  overlap: "allow" as (typeof OVERLAPS)[number],
  priority: 0,
  paused: false,
};

function Form({ onCancel, onCreated }: { onCancel: () => void; onCreated: (name: string) => void }) {
  const { t } = useTranslation();
  const create = useCreateSchedule();
  const types = useRunStats(false);
  const zones = useMemo(() => timeZones(), []);
  const form = useForm({
    initialValues: INITIAL,
    validate: {
      name: (name) => (name.trim() === "" ? t("common.required") : isName(name.trim()) ? null : t("common.name_rule")),
      type: (type) => (type.trim() === "" ? t("common.required") : null),
      cron: (cron) => (cron.trim() === "" ? t("common.required") : null),
      payload: (text) => (checkPayload(text).ok ? null : t("schedules.payload_invalid")),
    },
  });
  const submit = form.onSubmit((values) => {
    const payload = checkPayload(values.payload);
    if (!payload.ok) return;
    const name = values.name.trim();
    const wanted = {
      ...values,
      name,
      type: values.type.trim(),
      cron: values.cron.trim(),
      description: values.description.trim(),
      timezone: values.timezone.trim(),
      payload: payload.value,
    };
    create.mutate(wanted, {
      onSuccess: () => onCreated(name),
      onError: (error) => form.setErrors(fieldErrors(asProblem(error), FIELDS)),
    });
  });
  const placed = create.isError && Object.keys(fieldErrors(asProblem(create.error), FIELDS)).length > 0;
  const choose = (preset: string) => {
    if (preset in PRESETS) form.setFieldValue("cron", PRESETS[preset as Preset]);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t("schedules.name")}
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Autocomplete
          label={t("schedules.type")}
          description={t("schedules.type_hint")}
          required
          data={typesOf(types.data ?? [])}
          spellCheck={false}
          {...form.getInputProps("type")}
        />
        <TextInput label={t("schedules.description")} autoComplete="off" {...form.getInputProps("description")} />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <NativeSelect
            label={t("schedules.preset")}
            value={presetOf(form.values.cron) ?? ""}
            data={[
              { value: "", label: t("schedules.preset_own") },
              ...(Object.keys(PRESETS) as Preset[]).map((name) => ({ value: name, label: t(`schedules.preset_${name}`) })),
            ]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          <TextInput
            label={t("schedules.cron")}
            required
            spellCheck={false}
            autoComplete="off"
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            {...form.getInputProps("cron")}
          />
        </Group>
        <Autocomplete
          label={t("schedules.timezone")}
          required
          data={zones}
          limit={30}
          spellCheck={false}
          {...form.getInputProps("timezone")}
        />
        <Preview cron={form.values.cron.trim()} timezone={form.values.timezone.trim()} />
        <Textarea
          label={t("runs.payload")}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          {...form.getInputProps("payload")}
        />
        <NativeSelect
          label={t("schedules.missed")}
          description={t("schedules.missed_hint")}
          data={MISSED.map((value) => ({ value, label: t(`schedules.missed_${value}`, { limit: 100 }) }))}
          {...form.getInputProps("missed")}
        />
        <NativeSelect
          label={t("schedules.overlap")}
          data={OVERLAPS.map((value) => ({ value, label: t(`schedules.overlap_${value}`) }))}
          {...form.getInputProps("overlap")}
        />
        <NumberInput
          label={t("runs.priority")}
          description={t("schedules.priority_hint")}
          min={-1000}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps("priority")}
        />
        <Switch label={t("schedules.begin_paused")} {...form.getInputProps("paused", { type: "checkbox" })} />
        {create.isError && !placed && <ProblemAlert error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("schedules.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The server knows best when an expression fires: it is asked while somebody writes, a moment after the last key. */
function Preview({ cron, timezone }: { cron: string; timezone: string }) {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue({ cron, timezone }, 300);
  const query = useCronFires(asked.cron, asked.timezone);
  const problem = query.isError ? asProblem(query.error) : null;
  return (
    <Paper withBorder p="sm" role="status" aria-label={t("schedules.fires")} bg="var(--sunken)" mih={64}>
      <Text size="sm" fw={500} mb={4}>
        {t("schedules.fires")}
      </Text>
      {problem ? (
        <>
          <Text size="sm" c="var(--mantine-color-error)" lang="en">
            {problem.detail ? sentenceCase(problem.detail) : t("problem.unexpected")}
          </Text>
          {problem.hint && (
            <Text size="sm" c="dimmed" lang="en">
              {sentenceCase(problem.hint)}
            </Text>
          )}
        </>
      ) : query.data ? (
        <FireList fires={query.data} timezone={asked.timezone} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("common.loading")}
        </Text>
      )}
    </Paper>
  );
}
