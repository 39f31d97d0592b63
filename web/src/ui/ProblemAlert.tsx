/** The one way in which the console says that something went wrong. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { asProblem } from "../api/problem";
import { sentenceCase } from "./sentenceCase";

interface Props {
  error: unknown;
  /** Called by a button beneath the words, when trying again makes sense. */
  onRetry?: () => void;
}

export function ProblemAlert({ error, onRetry }: Props) {
  const { t, i18n } = useTranslation();
  const problem = asProblem(error);
  // A newer server may know codes that this console has no words for.
  const code = i18n.exists(`problem.${problem.code}`) ? problem.code : "unexpected";
  return (
    <Alert
      role="alert"
      color="rust"
      variant="light"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={t(`problem.${code as "unexpected"}`)}
      data-code={problem.code}
    >
      {/* The server's own words are English, whatever the language around them. */}
      {problem.detail && (
        <Text size="sm" lang="en">
          {sentenceCase(problem.detail)}
        </Text>
      )}
      {problem.hint && (
        <Text size="sm" lang="en" c="dimmed">
          {sentenceCase(problem.hint)}
        </Text>
      )}
      {code === "unreachable" && <Text size="sm">{t("problem.unreachable_hint")}</Text>}
      {onRetry && (
        <Group mt="sm">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden="true" />}
            onClick={onRetry}
          >
            {t("common.retry")}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
