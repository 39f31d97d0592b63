/** Secrets that webhooks are signed with. They can be written and replaced, and never read again. */
import { Alert, Button, Drawer, Group, PasswordInput, Stack, TagsInput, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePutSecret, useSecrets } from "../../api/parts";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { useSignedIn } from "../../session/SignedIn";
import { Notice } from "../../ui/Notice";
import { isName } from "../users/search";
import type { PartsProps } from "./Chains";
import { Uses } from "./Uses";
import { PartList } from "./PartList";

export function Secrets({ open, onOpen }: PartsProps) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const query = useSecrets();
  if (!may("secrets:read")) return <Notice>{t("common.needs_permission", { permission: "secrets:read" })}</Notice>;
  return (
    <Loaded query={query} lines={4}>
      {(secrets) => (
        <>
          <PartList
            label={t("parts.secrets")}
            columns={[t("parts.hosts"), t("parts.changed")]}
            items={secrets.map((secret) => ({ name: secret.name, cells: [secret.hosts.join(", "), <When key="at" at={secret.updated_at} />] }))}
            needs="secrets:write"
            add={t("parts.new_secret")}
            empty={t("parts.no_secrets")}
            onOpen={onOpen}
          />
          {open !== undefined && <SecretDrawer key={open} name={open} hosts={secrets.find(({ name }) => name === open)?.hosts ?? []} onClose={() => onOpen(undefined)} />}
        </>
      )}
    </Loaded>
  );
}

function SecretDrawer({ name, hosts, onClose }: { name: string; hosts: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const save = usePutSecret();
  const [typed, setTyped] = useState(name);
  const [secret, setSecret] = useState("");
  const [wanted, setWanted] = useState([...hosts]);
  const [tried, setTried] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isName(typed) || secret === "" || wanted.length === 0) return;
    save.mutate(
      { name: typed, body: { secret, hosts: wanted } },
      {
        onSuccess: () => {
          done(t("parts.saved", { name: typed }));
          onClose();
        },
      },
    );
  };
  return (
    <Drawer opened onClose={onClose} title={name || t("parts.new_secret")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap="lg">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Alert color="slate">{t("parts.write_only")}</Alert>
            {name === "" && <TextInput label={t("parts.name")} required data-autofocus autoComplete="off" spellCheck={false} value={typed} error={tried && !isName(typed) ? t("common.name_rule") : undefined} onChange={(event) => setTyped(event.currentTarget.value)} />}
            <PasswordInput label={t("parts.secret")} required autoComplete="new-password" value={secret} error={tried && secret === "" ? t("common.required") : undefined} onChange={(event) => setSecret(event.currentTarget.value)} />
            <TagsInput label={t("parts.hosts")} description={t("parts.hosts_hint")} required value={wanted} acceptValueOnBlur error={tried && wanted.length === 0 ? t("common.required") : undefined} onChange={setWanted} />
            {save.isError && <ProblemAlert error={save.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <ActionButton needs="secrets:write" type="submit" loading={save.isPending}>
                {t("common.save")}
              </ActionButton>
            </Group>
          </Stack>
        </form>
        {name !== "" && <Uses kind="secret" name={name} needs="secrets:write" onDeleted={onClose} />}
      </Stack>
    </Drawer>
  );
}
