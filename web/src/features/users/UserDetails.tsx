/** What is shown of a user, to be changed. */
import { Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useChangeUser } from "../../api/administration";
import { asProblem, fieldErrors } from "../../api/problem";
import type { User } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { ProblemAlert } from "../../ui/ProblemAlert";

const FIELDS = ["display_name", "email"] as const;

export function UserDetails({ user }: { user: User }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const change = useChangeUser();
  const form = useForm({
    initialValues: { display_name: user.display_name, email: user.email ?? "" },
    validate: {
      display_name: (name) => (name.trim() === "" ? t("common.required") : null),
      email: (email) => (email.trim() === "" || email.includes("@") ? null : t("users.email_invalid")),
    },
  });
  const submit = form.onSubmit((values) => {
    // An empty address removes it; leaving it out would keep the old one.
    const wanted = { display_name: values.display_name.trim(), email: values.email.trim() };
    change.mutate(
      { name: user.name, ...wanted },
      {
        onSuccess: () => form.resetDirty(),
        onError: (error) => form.setErrors(fieldErrors(asProblem(error), FIELDS)),
      },
    );
  });
  const placed = change.isError && Object.keys(fieldErrors(asProblem(change.error), FIELDS)).length > 0;
  const readOnly = !may("users:write");
  const dirty = form.isDirty();
  return (
    <form onSubmit={submit} noValidate aria-labelledby="user-details">
      <Stack gap="sm">
        <Title order={3} id="user-details">
          {t("users.details")}
        </Title>
        <TextInput
          label={t("users.display_name")}
          readOnly={readOnly}
          autoComplete="off"
          {...form.getInputProps("display_name")}
        />
        <TextInput
          label={t("users.email")}
          type="email"
          readOnly={readOnly}
          autoComplete="off"
          {...form.getInputProps("email")}
        />
        {change.isError && !placed && <ProblemAlert error={change.error} />}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status">
            {dirty ? t("common.unsaved") : change.isSuccess && t("common.saved")}
          </Text>
          <ActionButton
            needs="users:write"
            type="submit"
            variant={dirty ? "filled" : "default"}
            loading={change.isPending}
          >
            {t("common.save")}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
