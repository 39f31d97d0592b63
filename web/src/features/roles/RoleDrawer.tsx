/** One role: read when it is built in, otherwise defined, changed and deleted. */
import { Alert, Button, Drawer, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDefineRole } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import type { Role } from "../../api/types";
import { lacking, type PermissionGroup } from "../../session/permissions";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { done } from "../../ui/notify";
import { PermissionPicker } from "../../ui/PermissionPicker";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { useWords } from "../../ui/useWords";
import { isName } from "../users/search";
import { DeleteRole } from "./DeleteRole";

interface Props {
  opened: boolean;
  /** None to define a new one. */
  role: Role | undefined;
  taken: readonly string[];
  groups: readonly PermissionGroup[];
  onClose: () => void;
}

export function RoleDrawer({ opened, role, taken, groups, onClose }: Props) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const fixed = role !== undefined && (role.built_in || !may("users:write"));
  const title = role ? t(fixed ? "roles.view_title" : "roles.edit_title", { name: role.name }) : t("roles.define");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      size={620}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {role && fixed ? (
        <RoleView role={role} groups={groups} />
      ) : (
        <RoleForm role={role} taken={taken} groups={groups} onClose={onClose} />
      )}
    </Drawer>
  );
}

const NONE: ReadonlySet<string> = new Set();

function RoleView({ role, groups }: { role: Role; groups: readonly PermissionGroup[] }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <Stack>
      <Text>{words.role(role)}</Text>
      {role.built_in && <Alert color="slate">{t("roles.built_in_note")}</Alert>}
      <PermissionPicker groups={groups} chosen={new Set(role.permissions)} offered={NONE} onChange={() => undefined} />
    </Stack>
  );
}

const FIELDS = ["name", "description", "permissions"] as const;

function RoleForm({ role, taken, groups, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const define = useDefineRole();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(role?.permissions));
  const total = groups.reduce((sum, group) => sum + group.permissions.length, 0);
  const lacks = role ? lacking(role.permissions, me.permissions) : [];
  const form = useForm({
    initialValues: { name: role?.name ?? "", description: role?.description ?? "" },
    validate: {
      name: (name) => {
        if (role) return null;
        if (name.trim() === "") return t("common.required");
        if (!isName(name.trim())) return t("common.name_rule");
        // Defining again would change the existing role without a word.
        return taken.includes(name.trim()) ? t("roles.exists") : null;
      },
    },
  });
  const submit = form.onSubmit((values) => {
    if (chosen.size === 0) {
      form.setFieldError("permissions", t("roles.choose_some"));
      return;
    }
    const name = role?.name ?? values.name.trim();
    const wanted = { name, description: values.description.trim(), permissions: [...chosen].sort() };
    define.mutate(wanted, {
      onSuccess: () => {
        done(t("roles.defined", { name }));
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrors(asProblem(error), FIELDS)),
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {!role && (
          <TextInput
            label={t("roles.name")}
            required
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps("name")}
          />
        )}
        <Textarea label={t("roles.description")} autosize maxLength={1000} {...form.getInputProps("description")} />
        <Group justify="space-between">
          <Text fw={500} size="sm">
            {t("roles.permissions")}
          </Text>
          <Text size="sm" c="dimmed" role="status">
            {t("roles.chosen", { count: chosen.size, total })}
          </Text>
        </Group>
        {lacks.length > 0 && <Alert color="ochre">{t("roles.lacking_edit", { permissions: lacks.join(", ") })}</Alert>}
        <PermissionPicker
          groups={groups}
          chosen={chosen}
          offered={new Set(lacks.length > 0 ? [] : me.permissions)}
          onChange={(next) => {
            setChosen(next);
            form.clearFieldError("permissions");
          }}
        />
        {me.permissions.length < total && lacks.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("roles.lacking")}
          </Text>
        )}
        {form.errors.permissions && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {form.errors.permissions}
          </Text>
        )}
        {role && role.users > 0 && <Text size="sm">{t("roles.effect", { count: role.users })}</Text>}
        {define.isError && <ProblemAlert error={define.error} />}
        <Group justify="space-between">
          <span>{role && <DeleteRole role={role} onDeleted={onClose} />}</span>
          <Group>
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <ActionButton
              needs="users:write"
              refusal={lacks.length > 0 ? t("roles.lacking") : undefined}
              type="submit"
              loading={define.isPending}
            >
              {t(role ? "common.save" : "roles.define")}
            </ActionButton>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
