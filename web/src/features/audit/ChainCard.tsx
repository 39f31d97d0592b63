/** Whether the tenant's audit chains hold, as last checked in this tab, and the button that checks them. */
import { Card, Group, List, Stack, Text, Title } from "@mantine/core";
import { IconLink, IconLinkOff, IconShieldQuestion } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useVerification } from "../../api/queries";
import { ActionButton } from "../../ui/ActionButton";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { relativeTime } from "../../ui/time";
import { useNow } from "../../ui/useNow";
import classes from "./ChainCard.module.css";

export function ChainCard() {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { last, verify } = useVerification();
  const state = last === null ? "unchecked" : last.verdict.ok ? "holds" : "broken";
  const Icon = { unchecked: IconShieldQuestion, holds: IconLink, broken: IconLinkOff }[state];
  return (
    <Card component="section" aria-labelledby="chain-title">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm" wrap="nowrap" align="center" style={{ flex: "1 1 14rem" }}>
            <span className={classes.seal} data-state={state}>
              <Icon size={22} stroke={1.7} aria-hidden="true" />
            </span>
            <div aria-live="polite">
              <Title order={2} id="chain-title" size="h3">
                {t("chain.title")}
              </Title>
              <Text size="sm" fw={500} className={classes.verdict} data-state={state}>
                {state === "unchecked" && t("chain.unchecked")}
                {state === "holds" && t("chain.holds")}
                {state === "broken" && t("chain.broken", { count: last?.verdict.breaks.length ?? 0 })}
              </Text>
            </div>
          </Group>
          <ActionButton needs="audit:read" variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
            {last ? t("chain.verify_again") : t("chain.verify")}
          </ActionButton>
        </Group>
        <Text size="sm" c="dimmed">
          {last
            ? t("chain.checked", {
                chains: t("chain.chains", { count: last.verdict.chains }),
                events: t("chain.events", { count: last.verdict.events }),
                when: relativeTime(last.at, last.at > now ? last.at : now, i18n.language),
              })
            : t("chain.explain")}
        </Text>
        {verify.isError && <ProblemAlert error={verify.error} onRetry={() => verify.mutate()} />}
        {last && !last.verdict.ok && (
          <div>
            <Text size="sm" fw={600}>
              {t("chain.breaks")}
            </Text>
            <List size="sm" lang="en" className={classes.breaks}>
              {last.verdict.breaks.map((broken) => (
                <List.Item key={broken}>{broken}</List.Item>
              ))}
            </List>
            <Text size="sm" c="dimmed" mt="xs">
              {t("chain.broken_hint")}
            </Text>
          </div>
        )}
      </Stack>
    </Card>
  );
}
