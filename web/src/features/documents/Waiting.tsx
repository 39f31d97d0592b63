/** Who is waited for, since when, and how many of how many have decided. */
import { Group, Text } from "@mantine/core";
import { IconHourglassHigh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Instance, RequestDetail } from "../../api/types";
import { TextLink } from "../../ui/LinkButton";
import { When } from "../../ui/When";
import { progressOf } from "../inbox/progress";
import classes from "./DocumentPage.module.css";
import { usePrincipals } from "./usePrincipals";

export function Waiting({ requests, instance }: { requests: readonly RequestDetail[]; instance: Instance | undefined }) {
  const { t } = useTranslation();
  const names = usePrincipals();
  const open = requests.filter(({ request }) => request.status === "open");
  const rejection = instance?.rejection as { by?: string; reason?: string } | null | undefined;
  return (
    <>
      {rejection?.reason && open.length === 0 && (
        <Text size="sm">
          {t("documents.sent_back", { by: rejection.by?.replace(/^user:/, "") ?? "" })} <q>{rejection.reason}</q>
        </Text>
      )}
      {open.length > 0 && (
        <ul className={classes.waiting} aria-label={t("documents.waiting")}>
          {open.map((detail) => {
            const { request, assignees } = detail;
            const { given, needed } = progressOf(detail);
            return (
              <li key={request.id}>
                <Group gap="xs" wrap="nowrap" align="baseline">
                  <IconHourglassHigh size={15} aria-hidden="true" style={{ flex: "none", transform: "translateY(2px)" }} />
                  <Text size="sm">
                    {t("documents.waits_for", { whom: names(assignees.filter((each) => each.is_open).map(({ principal }) => principal)) })}
                    {needed !== null && needed > 1 && ` · ${t("inbox.quorum", { given, needed })}`}
                    {" · "}
                    <When at={request.created_at} />
                    {request.due_at && (
                      <>
                        {" · "}
                        {t("inbox.due")} <When at={request.due_at} />
                      </>
                    )}
                  </Text>
                </Group>
              </li>
            );
          })}
        </ul>
      )}
      {instance && (
        <TextLink to="/processes/$instanceId" params={{ instanceId: instance.id }} size="sm">
          {t("documents.see_process")}
        </TextLink>
      )}
    </>
  );
}
