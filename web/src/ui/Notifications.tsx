/** The list of what was said. At the top: the buttons of drawers and dialogs are at the bottom right, and must not be covered. */
import "@mantine/notifications/styles.layer.css";
import { Notifications as Shown } from "@mantine/notifications";

export function Notifications() {
  return <Shown position="top-center" />;
}
