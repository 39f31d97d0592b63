/** Asks whether a sign-in address that was opened in a signed-in tab is to take the place of who is signed in. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSignedIn } from "./SignedIn";
import { session } from "./store";

export function LinkQuestion({ offered }: { offered: string }) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  return (
    <Modal opened onClose={session.decline} withCloseButton={false} title={t("sign_in.link_title")}>
      <Stack>
        <Text>{t("sign_in.link_question", { name: me.name, tenant: me.tenant })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={session.decline} data-autofocus>
            {t("sign_in.link_stay")}
          </Button>
          <Button onClick={() => session.start(offered)}>{t("sign_in.link_use")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
