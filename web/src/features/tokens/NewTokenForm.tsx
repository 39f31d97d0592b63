/** What a new token is for, whose it is, what it may do and how long it lasts. */
import { Alert, Autocomplete, Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { useCreateToken } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import { usePermissionList, useUsers } from "../../api/queries";
import { groupPermissions } from "../../session/permissions";
import { useSignedIn } from "../../session/SignedIn";
import { Loaded } from "../../ui/Loaded";
import { PermissionPicker } from "../../ui/PermissionPicker";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { LIFETIMES, lifetimeOf, lifetimeText } from "./state";

interface Props {
  create: ReturnType<typeof useCreateToken>;
  onCancel: () => void;
}

const FIELDS = ["name", "user", "scopes"] as const;

export function NewTokenForm({ create, onCancel }: Props) {
  const { t } = useTranslation();
  const { me, may } = useSignedIn();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const form = useForm({
    initialValues: { name: "", user: me.name, lifetime: "90", limited: "everything" },
    validate: {
      name: (name) => (name.trim() === "" ? t("common.required") : null),
      user: (user) => (user.trim() === "" ? t("common.required") : null),
    },
  });
  const limited = form.values.limited === "some";
  const submit = form.onSubmit((values) => {
    if (limited && chosen.size === 0) {
      form.setFieldError("scopes", t("tokens.choose_some"));
      return;
    }
    const wanted = {
      name: values.name.trim(),
      user: values.user.trim(),
      scopes: limited ? [...chosen].sort() : null,
      days: lifetimeOf(values.lifetime),
    };
    create.mutate(wanted, { onError: (error) => form.setErrors(fieldErrors(asProblem(error), FIELDS)) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t("tokens.name")}
          description={t("tokens.name_hint")}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Owner writable={may("tokens:write")} input={form.getInputProps("user")} />
          <NativeSelect
            label={t("tokens.lifetime")}
            data={LIFETIMES.map((days) => ({
              value: lifetimeText(days),
              label: days === null ? t("tokens.lifetime_never") : t("tokens.lifetime_days", { count: days }),
            }))}
            {...form.getInputProps("lifetime")}
          />
        </Group>
        {form.values.lifetime === "never" && <Alert color="ochre">{t("tokens.never_warning")}</Alert>}
        <Radio.Group label={t("tokens.scope_choice")} {...form.getInputProps("limited")}>
          <Stack gap="xs" mt="xs">
            <Radio value="everything" label={t("tokens.scope_everything")} />
            <Radio value="some" label={t("tokens.scope_some")} />
          </Stack>
        </Radio.Group>
        {limited && (
          <Scopes
            chosen={chosen}
            onChange={(next) => {
              setChosen(next);
              form.clearFieldError("scopes");
            }}
          />
        )}
        {form.errors.scopes && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {form.errors.scopes}
          </Text>
        )}
        {create.isError && <ProblemAlert error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("tokens.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface OwnerProps {
  writable: boolean;
  input: object;
}

/** Everybody makes tokens for themselves; for service accounts only with the permission; for other people nobody. */
function Owner({ writable, input }: OwnerProps) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const users = useUsers();
  const names = users.data?.pages
    .flatMap((page) => page.items)
    .filter((user) => user.deactivated_at === null && (user.kind === "service" || user.name === me.name))
    .map((user) => user.name);
  if (!writable) {
    return (
      <TextInput
        label={t("tokens.user")}
        description={t("common.needs_permission", { permission: "tokens:write" })}
        readOnly
        {...input}
      />
    );
  }
  return <Autocomplete label={t("tokens.user")} data={names ?? []} limit={20} spellCheck={false} {...input} />;
}

function Scopes({ chosen, onChange }: { chosen: ReadonlySet<string>; onChange: (chosen: Set<string>) => void }) {
  const { me } = useSignedIn();
  const permissions = usePermissionList();
  return (
    <Loaded query={permissions} lines={4}>
      {(descriptions) => (
        <PermissionPicker
          groups={groupPermissions(descriptions)}
          chosen={chosen}
          offered={new Set(me.permissions)}
          onChange={onChange}
        />
      )}
    </Loaded>
  );
}
