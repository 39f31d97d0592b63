/** Makes a token, then shows its secret, this once. The secret is held by this dialog only and is gone when it closes. */
import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCreateToken } from "../../api/administration";
import type { CreatedToken } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { NewTokenForm } from "./NewTokenForm";
import classes from "./CreateToken.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function CreateToken({ opened, onClose }: Props) {
  const { t } = useTranslation();
  const create = useCreateToken();
  const made = create.data;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={t(made ? "tokens.secret_title" : "tokens.create")}
      // A secret must not vanish by a slip: only its own button closes the dialog then.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {made ? <Secret made={made} onDone={close} /> : <NewTokenForm create={create} onCancel={close} />}
    </Modal>
  );
}

function Secret({ made, onDone }: { made: CreatedToken; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert role="alert" color="ochre" icon={<IconAlertTriangle aria-hidden="true" />}>
        {t("tokens.secret_warning")}
      </Alert>
      <Text size="sm" fw={500} id="secret-label">
        {t("tokens.secret", { name: made.token.name })}
      </Text>
      <output className={classes.secret} aria-labelledby="secret-label">
        {made.secret}
      </output>
      <CopyButton wide text={made.secret} label={t("tokens.copy")} />
      <Button variant="default" onClick={onDone}>
        {t("tokens.secret_done")}
      </Button>
    </Stack>
  );
}
