/** Enqueues a run by hand: a type, a payload, and, for later, a time. What was typed stays until it is enqueued. */
import { Autocomplete, Button, Group, Modal, NumberInput, Stack, Textarea } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEnqueue, useRunTypes } from "../../api/operate";
import { type Json, parse } from "../../json/json";
import { ActionButton } from "../../ui/ActionButton";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";

function read(text: string): { value: Json } | null {
  try {
    return { value: parse(text) };
  } catch {
    return null;
  }
}

export function Enqueue() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [type, setType] = useState("");
  const [payload, setPayload] = useState("{}");
  const [priority, setPriority] = useState(0);
  const types = useRunTypes();
  const enqueue = useEnqueue();
  const given = read(payload);
  const submit = () => {
    if (!given || type.trim() === "") return;
    enqueue.mutate(
      { type: type.trim(), payload: given.value, priority },
      {
        onSuccess: ({ id }) => {
          setOpened(false);
          done(t("runs.enqueued"));
          void navigate({ to: "/runs/$runId", params: { runId: id } });
        },
      },
    );
  };
  return (
    <>
      <ActionButton needs="runs:write" leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpened(true)}>
        {t("runs.enqueue")}
      </ActionButton>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t("runs.enqueue")} closeButtonProps={{ "aria-label": t("common.close") }}>
        <Stack>
          <Autocomplete label={t("runs.type")} required data={(types.data ?? []).map((each) => each.type)} value={type} onChange={setType} limit={12} spellCheck={false} data-autofocus />
          <Textarea
            label={t("runs.payload")}
            autosize
            minRows={4}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            value={payload}
            error={!given && t("schedules.payload_invalid")}
            onChange={(event) => setPayload(event.currentTarget.value)}
          />
          <NumberInput label={t("runs.priority")} description={t("schedules.priority_hint")} min={-1000} max={1000} value={priority} onChange={(value) => setPriority(Number(value) || 0)} />
          {enqueue.isError && <ProblemAlert error={enqueue.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)}>
              {t("common.cancel")}
            </Button>
            <Button loading={enqueue.isPending} disabled={!given || type.trim() === ""} onClick={submit}>
              {t("runs.enqueue")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
