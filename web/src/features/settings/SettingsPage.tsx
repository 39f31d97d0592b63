/** What the tenant is called and how it behaves. */
import { Alert, Card, Group, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChangeTenant } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import { useTenant } from "../../api/me";
import type { TenantChange, TenantInfo } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { CopyButton } from "../../ui/CopyButton";
import { Facts } from "../../ui/Facts";
import { Loaded } from "../../ui/Loaded";
import { done } from "../../ui/notify";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { checkSettings, sameSettings, settingsText } from "./json";

export function SettingsPage() {
  const { t } = useTranslation();
  const query = useTenant();
  return (
    <Page title={t("settings.title")} intro={t("settings.intro")} needs="tenant:read">
      <Loaded query={query} lines={4} height={96}>
        {(info) => (
          <Stack gap="lg">
            <SettingsForm info={info} />
            <Card component="section" aria-labelledby="facts-title">
              <Title order={2} size="h3" mb="xs" id="facts-title">
                {t("settings.facts")}
              </Title>
              <Facts
                facts={[
                  [t("settings.slug"), <code key="slug">{info.slug}</code>],
                  [
                    t("settings.id"),
                    <Group key="id" gap={4} wrap="nowrap">
                      <code>{info.tenant}</code>
                      <CopyButton text={info.tenant} label={t("audit.copy_id")} />
                    </Group>,
                  ],
                  [t("settings.created"), <When key="created" at={info.created_at} as="exact" />],
                ]}
              />
            </Card>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const FIELDS = ["name", "settings"] as const;

/** Only what was changed is sent, so that two people who change different things do not undo each other. */
function SettingsForm({ info }: { info: TenantInfo }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const change = useChangeTenant();
  const [name, setName] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);
  const checked = text === null ? null : checkSettings(text);

  const wanted: TenantChange = {};
  if (name !== null && name.trim() !== info.name) wanted.name = name.trim();
  if (checked?.ok && !sameSettings(checked.value, info.settings)) wanted.settings = checked.value;
  const dirty = Object.keys(wanted).length > 0;
  const fault = checked && !checked.ok ? checked.fault : null;
  const nameMissing = name !== null && name.trim() === "";
  const refused = change.isError ? fieldErrors(asProblem(change.error), FIELDS) : {};

  const forget = () => {
    setName(null);
    setText(null);
    change.reset();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!dirty || fault || nameMissing) return;
    change.mutate(wanted, {
      onSuccess: () => {
        forget();
        done(t("settings.saved"));
      },
    });
  };
  const readOnly = !may("tenant:write");
  const state = fault || nameMissing ? null : dirty ? "common.unsaved" : text !== null ? "settings.valid" : null;
  return (
    <Card component="form" onSubmit={submit} noValidate>
      <Stack>
        {readOnly && <Alert color="slate">{t("settings.read_only", { permission: "tenant:write" })}</Alert>}
        <TextInput
          label={t("settings.name")}
          value={name ?? info.name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={nameMissing ? t("common.required") : refused.name}
          readOnly={readOnly}
          maxLength={256}
          autoComplete="off"
          maw={480}
        />
        <Textarea
          label={t("settings.json")}
          description={t("settings.json_hint")}
          value={text ?? settingsText(info.settings)}
          onChange={(event) => setText(event.currentTarget.value)}
          error={
            fault
              ? t(`settings.${fault.kind}`, { line: fault.line, column: fault.column, subject: fault.subject ?? "" })
              : refused.settings
          }
          readOnly={readOnly}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          styles={{
            input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.875rem", color: "inherit" },
          }}
        />
        {change.isError && Object.keys(refused).length === 0 && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {state && t(state)}
          </Text>
          {checked?.ok && (
            <ActionButton variant="subtle" onClick={() => setText(settingsText(checked.value))}>
              {t("settings.format")}
            </ActionButton>
          )}
          {(name !== null || text !== null) && (
            <ActionButton variant="default" onClick={forget}>
              {t("settings.reset")}
            </ActionButton>
          )}
          <ActionButton needs="tenant:write" type="submit" loading={change.isPending}>
            {t("common.save")}
          </ActionButton>
        </Group>
      </Stack>
    </Card>
  );
}
