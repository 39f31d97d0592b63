/** Ends a token at once; asks first, because nothing brings it back. */
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRevokeToken } from "../../api/administration";
import type { Token } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { Confirm } from "../../ui/Confirm";
import { done } from "../../ui/notify";

interface Props {
  token: Token | null;
  onClose: () => void;
}

export function RevokeToken({ token, onClose }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const revoke = useRevokeToken();
  // The words stay while the dialog fades out.
  const [last, setLast] = useState(token);
  if (token !== null && token !== last) setLast(token);
  const close = () => {
    onClose();
    revoke.reset();
  };
  if (!last) return null;
  const { name, user } = last;
  return (
    <Confirm
      opened={token !== null}
      title={t("tokens.revoke_title", { name })}
      action={t("tokens.revoke")}
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(last.token_id, {
          onSuccess: () => {
            close();
            done(t("tokens.revoked", { name }));
          },
        })
      }
      onClose={close}
    >
      {t("tokens.revoke_text", { user })}
      {user === me.name && (
        <Text fw={600} mt="xs">
          {t("tokens.revoke_self")}
        </Text>
      )}
    </Confirm>
  );
}
