/** What is shown in place of a page that does not exist or that failed. */
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { LinkButton } from "../ui/LinkButton";
import { Notice } from "../ui/Notice";

export function PageMissing() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t("problem.page_missing")} · holdfast`;
  }, [t]);
  return (
    <Notice
      order={1}
      title={t("problem.page_missing")}
      action={
        <LinkButton to="/" variant="default">
          {t("problem.to_overview")}
        </LinkButton>
      }
    >
      {t("problem.page_missing_hint")}
    </Notice>
  );
}

export function PageFailed() {
  const { t } = useTranslation();
  return (
    <Notice
      order={1}
      title={t("problem.page_failed")}
      action={<Button onClick={() => window.location.reload()}>{t("common.retry")}</Button>}
    >
      {t("problem.page_failed_hint")}
    </Notice>
  );
}
