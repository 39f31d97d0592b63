/** Changes the state of a session that waits: values for its channels, as if a node had returned them. What was typed stays until it is written. */
import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEditState } from "../../api/sessions";
import { isObject, type JsonObject, parse, stringify } from "../../json/json";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";

interface Props {
  session: string;
  state: { values: Readonly<Record<string, unknown>> };
  onClose: () => void;
}

export function EditState({ session, state, onClose }: Props) {
  const { t } = useTranslation();
  const edit = useEditState(session);
  const [text, setText] = useState(() => stringify(state.values, 2));
  const [node, setNode] = useState("");
  const [reason, setReason] = useState("");
  const values = changedIn(text, state.values);
  const submit = () => {
    if (!values || Object.keys(values).length === 0) return;
    edit.mutate(
      { values, as_node: node.trim() || null, reason: reason.trim() },
      {
        onSuccess: () => {
          onClose();
          done(t("sessions.edited"));
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t("sessions.edit_state")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t("sessions.edit_hint")}
        </Text>
        <Textarea
          label={t("sessions.values")}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          value={text}
          error={values ? undefined : t("sessions.edit_object")}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8125rem" } }}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput label={t("sessions.as_node")} description={t("sessions.as_node_hint")} value={node} spellCheck={false} autoComplete="off" onChange={(event) => setNode(event.currentTarget.value)} />
        <TextInput label={t("sessions.reason")} maxLength={1000} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
        {edit.isError && <ProblemAlert error={edit.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button loading={edit.isPending} disabled={!values || Object.keys(values).length === 0} onClick={submit}>
            {t("sessions.edit_write")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Only channels that were changed are written: to write one again may mean something to the graph, such as adding to a list. */
export function changedIn(text: string, before: Readonly<Record<string, unknown>>): JsonObject | null {
  try {
    const value = parse(text);
    if (!isObject(value)) return null;
    return Object.fromEntries(Object.entries(value).filter(([name, each]) => !Object.hasOwn(before, name) || stringify(each) !== stringify(before[name])));
  } catch {
    return null;
  }
}
