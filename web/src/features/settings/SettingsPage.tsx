/** What the tenant is called and how it behaves. */
import { Alert, Card, Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChangeTenant } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import { useTenant } from "../../api/me";
import { useUsers } from "../../api/queries";
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
import { type Fields, fieldsOf, saidTwice, settingsOf, STAYS_ON, SWITCHES, weightOf } from "./fields";
import { Limits } from "./Limits";
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
            <Limits />
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
  const [typed, setTyped] = useState<Fields | null>(null);
  const [text, setText] = useState<string | null>(null);
  const stored = fieldsOf(info.settings);
  const fields = typed ?? stored.fields;
  const checked = text === null || text.trim() === "" ? { ok: true as const, value: text === null ? stored.rest : {} } : checkSettings(text);
  const twice = checked.ok ? saidTwice(fields, checked.value) : null;
  const weightWrong = weightOf(fields.weight) === undefined;

  const wanted: TenantChange = {};
  if (name !== null && name.trim() !== info.name) wanted.name = name.trim();
  if (checked.ok) {
    const settings = settingsOf(fields, checked.value, info.settings);
    if (!sameSettings(settings, info.settings)) wanted.settings = settings;
  }
  const dirty = Object.keys(wanted).length > 0;
  const nameMissing = name !== null && name.trim() === "";
  const wrong = !checked.ok || twice !== null || weightWrong || nameMissing;
  const refused = change.isError ? fieldErrors(asProblem(change.error), FIELDS) : {};
  const touched = name !== null || typed !== null || text !== null;
  const restError = !checked.ok
    ? t(`settings.${checked.fault.kind}`, { line: checked.fault.line, column: checked.fault.column, subject: checked.fault.subject ?? "" })
    : twice !== null
      ? t("settings.has_field", { subject: twice })
      : undefined;

  const forget = () => {
    setName(null);
    setTyped(null);
    setText(null);
    change.reset();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!dirty || wrong) return;
    change.mutate(wanted, {
      onSuccess: () => {
        forget();
        done(t("settings.saved"));
      },
    });
  };
  const readOnly = !may("tenant:write");
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
        {SWITCHES.map((each) => {
          const stays = STAYS_ON.has(each) && info.settings[each] === true;
          return (
            <Switch
              key={each}
              label={t(`settings.${each}`)}
              description={
                <>
                  {t(`settings.${each}_hint`)}
                  {stays && <div>{t("settings.stays_on")}</div>}
                </>
              }
              checked={fields.switches[each]}
              disabled={readOnly || stays}
              onChange={(event) => setTyped({ ...fields, switches: { ...fields.switches, [each]: event.currentTarget.checked } })}
            />
          );
        })}
        <ServiceAccount value={fields.service_account} readOnly={readOnly} onChange={(service_account) => setTyped({ ...fields, service_account })} />
        <TextInput
          label={t("settings.weight")}
          description={t("settings.weight_hint")}
          inputMode="numeric"
          placeholder="1"
          value={fields.weight}
          readOnly={readOnly}
          error={weightWrong && t("settings.weight_wrong")}
          onChange={(event) => setTyped({ ...fields, weight: event.currentTarget.value })}
          maw={480}
        />
        <Textarea
          label={t("settings.others")}
          description={t("settings.others_hint")}
          value={text ?? settingsText(stored.rest)}
          onChange={(event) => setText(event.currentTarget.value)}
          error={restError ?? refused.settings}
          readOnly={readOnly}
          autosize
          minRows={3}
          maxRows={24}
          spellCheck={false}
          styles={{
            input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.875rem", color: "inherit" },
          }}
        />
        {change.isError && Object.keys(refused).length === 0 && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {!wrong && dirty && t("common.unsaved")}
          </Text>
          {touched && (
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

/** Those who may see users choose among the service accounts; others type its name. */
function ServiceAccount({ value, readOnly, onChange }: { value: string; readOnly: boolean; onChange: (name: string) => void }) {
  const { t } = useTranslation();
  const { data } = useUsers();
  const known = data?.pages.flatMap((page) => page.items.flatMap((user) => (user.kind === "service" ? [user.name] : [])));
  const words = { label: t("settings.service_account"), description: t("settings.service_account_hint"), maw: 480 };
  if (!known || readOnly) return <TextInput {...words} value={value} readOnly={readOnly} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />;
  const names = known.includes(value) || value === "" ? known : [value, ...known];
  return <NativeSelect {...words} value={value} data={[{ value: "", label: t("settings.service_account_none") }, ...names]} onChange={(event) => onChange(event.currentTarget.value)} />;
}
