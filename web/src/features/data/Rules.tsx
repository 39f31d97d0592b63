/** What a namespace allows: a schema for its values, and quotas with how much of them is used. */
import { Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type NamespaceRules, useRules, useSetRules } from "../../api/data";
import { isObject, stringify } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { valueOf } from "./model";

export function Rules({ namespace }: { namespace: string }) {
  const query = useRules(namespace);
  return (
    <Loaded query={query} lines={3}>
      {(rules) => <RulesForm key={namespace} namespace={namespace} rules={rules} />}
    </Loaded>
  );
}

function RulesForm({ namespace, rules }: { namespace: string; rules: NamespaceRules }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const set = useSetRules();
  const [keys, setKeys] = useState(String(rules.max_keys ?? ""));
  const [bytes, setBytes] = useState(String(rules.max_bytes ?? ""));
  const [schema, setSchema] = useState(rules.schema === null || rules.schema === undefined ? "" : stringify(rules.schema, 2));
  const read = schema.trim() === "" ? null : valueOf(schema);
  const schemaWrong = read !== null && !isObject(read);
  const quota = (text: string) => (text.trim() === "" ? null : /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : undefined);
  const wrong = schemaWrong || quota(keys) === undefined || quota(bytes) === undefined;
  const readOnly = !may("data:operate");
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong) return;
        set.mutate(
          { namespace, json_schema: read, max_keys: quota(keys) ?? null, max_bytes: quota(bytes) ?? null },
          { onSuccess: () => done(t("data.rules_saved")) },
        );
      }}
    >
      <Text size="sm" c="dimmed">
        {t("data.rules_hint")}
      </Text>
      <Group gap="sm" align="flex-start">
        <TextInput
          label={t("data.max_keys")}
          description={rules.max_keys === null || rules.max_keys === undefined ? t("data.unlimited") : t("data.used", { used: rules.keys ?? 0, most: rules.max_keys })}
          inputMode="numeric"
          value={keys}
          readOnly={readOnly}
          error={quota(keys) === undefined ? t("data.not_whole") : undefined}
          onChange={(event) => setKeys(event.currentTarget.value)}
        />
        <TextInput
          label={t("data.max_bytes")}
          description={rules.max_bytes === null || rules.max_bytes === undefined ? t("data.unlimited") : t("data.used", { used: rules.bytes ?? 0, most: rules.max_bytes })}
          inputMode="numeric"
          value={bytes}
          readOnly={readOnly}
          error={quota(bytes) === undefined ? t("data.not_whole") : undefined}
          onChange={(event) => setBytes(event.currentTarget.value)}
        />
      </Group>
      <Textarea
        label={t("data.schema")}
        rows={6}
        value={schema}
        readOnly={readOnly}
        spellCheck={false}
        error={schemaWrong ? t("data.schema_wrong") : undefined}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8125rem" } }}
        onChange={(event) => setSchema(event.currentTarget.value)}
      />
      {set.isError && <ProblemAlert error={set.error} />}
      <Group justify="flex-end">
        <ActionButton needs="data:operate" type="submit" loading={set.isPending} refusal={wrong ? t("data.not_ready") : undefined}>
          {t("common.save")}
        </ActionButton>
      </Group>
    </Stack>
  );
}
