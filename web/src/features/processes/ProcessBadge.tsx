/** How a process is doing, in one word. */
import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Instance } from "../../api/types";
import { PROCESS_STATUSES } from "./filter";

const COLORS = { running: "ochre", paused: "rust", completed: "kelp", cancelled: "slate", failed: "rust" } as const;

export function ProcessBadge({ instance }: { instance: Pick<Instance, "status" | "paused_at"> }) {
  const { t } = useTranslation();
  if (instance.paused_at !== null) return <Badge color="ochre">{t("processes.status_paused")}</Badge>;
  const known = PROCESS_STATUSES.find((status) => status === instance.status);
  return <Badge color={known ? COLORS[known] : "slate"}>{known ? t(`processes.status_${known}`) : instance.status}</Badge>;
}
