/** A short word that something was done. What went wrong is never told here: it stays where it happened. */
import { notifications } from "@mantine/notifications";
import { IconCheck } from "@tabler/icons-react";
import i18next from "i18next";
import { spoken } from "./spoken";

export function done(message: string): void {
  spoken.set();
  notifications.show({
    message,
    color: "kelp",
    icon: <IconCheck size={18} aria-hidden="true" />,
    autoClose: 5000,
    withBorder: true,
    role: "status",
    closeButtonProps: { "aria-label": i18next.t("common.close") },
  });
}
