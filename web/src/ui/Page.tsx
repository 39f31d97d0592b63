/** The frame of a page: its title (also the browser's), a sentence about it, and what can be done there. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSignedIn } from "../session/SignedIn";
import { helpFor } from "./help";
import { Notice } from "./Notice";

interface Props {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The permission without which the page has nothing to show. */
  needs?: string;
  children: ReactNode;
}

export function Page({ title, intro, actions, needs, children }: Props) {
  const { t } = useTranslation();
  const { may, tenant } = useSignedIn();
  const allowed = !needs || may(needs);
  useEffect(() => {
    document.title = `${title} · ${tenant} · holdfast`;
  }, [title, tenant]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <div style={{ maxWidth: "44rem" }}>
          <Title order={1}>{title}</Title>
          {intro && (
            <Text c="dimmed" mt={4}>
              {intro} <Help />
            </Text>
          )}
        </div>
        {allowed && actions}
      </Group>
      {allowed ? (
        children
      ) : (
        <Notice title={t("problem.page_forbidden")}>{t("problem.page_forbidden_hint", { permission: needs })}</Notice>
      )}
    </Stack>
  );
}

/** Leads to what the documentation tells of this page; the server brings it along. */
function Help() {
  const { t } = useTranslation();
  return (
    <a href={`/docs/${helpFor(window.location.pathname)}`} target="_blank" rel="noopener" aria-label={t("app.help_about")} className="help">
      {t("app.help")}
    </a>
  );
}
