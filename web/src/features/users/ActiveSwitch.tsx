/** Takes every access from a user, or gives it back; asks first. */
import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSetActive } from "../../api/administration";
import type { User } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { done } from "../../ui/notify";

export function ActiveSwitch({ user }: { user: User }) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const change = useSetActive();
  const active = user.deactivated_at === null;
  const { name } = user;
  const close = () => {
    setAsking(false);
    change.reset();
  };
  const confirm = () =>
    change.mutate(
      { name, active: !active },
      {
        onSuccess: () => {
          close();
          done(t(active ? "users.deactivated_done" : "users.reactivated_done", { name }));
        },
      },
    );
  const title = active ? t("users.deactivate_title", { name }) : t("users.reactivate_title", { name });
  return (
    <Group justify="flex-end">
      <ActionButton
        needs="users:write"
        variant={active ? "light" : "filled"}
        {...(active && { color: "rust" })}
        onClick={() => setAsking(true)}
      >
        {t(active ? "users.deactivate" : "users.reactivate")}
      </ActionButton>
      <Confirm
        opened={asking}
        title={title}
        action={t(active ? "users.deactivate" : "users.reactivate")}
        danger={active}
        busy={change.isPending}
        error={change.error}
        onConfirm={confirm}
        onClose={close}
      >
        {active
          ? t("users.deactivate_text", { name })
          : t("users.reactivate_text", { name, roles: user.roles.join(", ") || t("common.none") })}
        {active && name === me.name && (
          <Text fw={600} mt="xs">
            {t("users.deactivate_self")}
          </Text>
        )}
      </Confirm>
    </Group>
  );
}
