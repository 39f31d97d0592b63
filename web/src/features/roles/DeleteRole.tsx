/** Deletes a role of the tenant's own; one that somebody still has cannot be. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteRole } from "../../api/administration";
import type { Role } from "../../api/types";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { done } from "../../ui/notify";

export function DeleteRole({ role, onDeleted }: { role: Role; onDeleted: () => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteRole();
  const { name } = role;
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  return (
    <>
      <ActionButton
        needs="users:write"
        refusal={role.users > 0 ? t("roles.delete_in_use", { count: role.users }) : undefined}
        variant="light"
        color="rust"
        onClick={() => setAsking(true)}
      >
        {t("roles.delete")}
      </ActionButton>
      <Confirm
        opened={asking}
        title={t("roles.delete_title", { name })}
        action={t("roles.delete")}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(name, {
            onSuccess: () => {
              close();
              done(t("roles.deleted", { name }));
              onDeleted();
            },
          })
        }
        onClose={close}
      >
        {t("roles.delete_text")}
      </Confirm>
    </>
  );
}
