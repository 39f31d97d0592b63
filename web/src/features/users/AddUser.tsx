/** Adds a user: a person or a program, with roles at once if wanted. */
import { Button, Drawer, Group, Input, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useAddUser } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { RoleChoice } from "./RoleChoice";
import { isName } from "./search";

interface Props {
  opened: boolean;
  onClose: () => void;
  onAdded: (name: string) => void;
}

export function AddUser({ opened, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t("users.add")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <NewUserForm
        onCancel={onClose}
        onAdded={(name) => {
          done(t("users.added", { name }));
          onClose();
          onAdded(name);
        }}
      />
    </Drawer>
  );
}

const FIELDS = ["name", "display_name", "email"] as const;

function NewUserForm({ onCancel, onAdded }: { onCancel: () => void; onAdded: (name: string) => void }) {
  const { t } = useTranslation();
  const add = useAddUser();
  const form = useForm({
    initialValues: { name: "", display_name: "", email: "", kind: "user" as "user" | "service", roles: [] as string[] },
    validate: {
      name: (name) =>
        name.trim() === "" ? t("common.required") : isName(name.trim()) ? null : t("common.name_rule"),
      email: (email) => (email.trim() === "" || email.includes("@") ? null : t("users.email_invalid")),
    },
  });
  const submit = form.onSubmit((values) => {
    const name = values.name.trim();
    const wanted = {
      name,
      kind: values.kind,
      roles: values.roles,
      display_name: values.display_name.trim() || null,
      email: values.email.trim() || null,
    };
    add.mutate(wanted, {
      onSuccess: () => onAdded(name),
      onError: (error) => form.setErrors(fieldErrors(asProblem(error), FIELDS)),
    });
  });
  const placed = add.isError && Object.keys(fieldErrors(asProblem(add.error), FIELDS)).length > 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Input.Wrapper label={t("users.kind")} labelElement="div" id="kind">
          <SegmentedControl
            fullWidth
            mt={4}
            aria-label={t("users.kind")}
            data={[
              { value: "user", label: t("users.kind_user") },
              { value: "service", label: t("users.kind_service") },
            ]}
            {...form.getInputProps("kind")}
          />
        </Input.Wrapper>
        <TextInput
          label={t("users.name")}
          description={t("users.name_hint")}
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <TextInput label={t("users.display_name")} autoComplete="off" {...form.getInputProps("display_name")} />
        <TextInput label={t("users.email")} type="email" autoComplete="off" {...form.getInputProps("email")} />
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <Input.Label component="legend" mb="xs">
            {t("users.roles")}
          </Input.Label>
          <RoleChoice
            held={form.values.roles}
            onChange={(role, granted) =>
              form.setFieldValue("roles", (roles) =>
                granted ? [...roles, role] : roles.filter((other) => other !== role),
              )
            }
          />
        </fieldset>
        {add.isError && !placed && <ProblemAlert error={add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t("users.add")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
