/** The steps that name a part, and its deletion, which says first what would break. */
import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type UsedKind, useDeletePart, useUses } from "../../api/parts";
import { spoken } from "../../forms/schema";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { done } from "../../ui/notify";

export function Uses({ kind, name, needs, onDeleted }: { kind: UsedKind; name: string; needs: string; onDeleted: () => void }) {
  const { t } = useTranslation();
  const query = useUses(kind, name);
  const remove = useDeletePart();
  const [asking, setAsking] = useState(false);
  return (
    <Stack gap="xs" component="section" aria-label={t("parts.used_by")}>
      <Title order={3} size="h4">
        {t("parts.used_by")}
      </Title>
      <Loaded query={query} lines={2} height={20}>
        {(uses) => {
          const breaking = uses.filter((use) => use.in_force);
          return (
            <>
              {uses.length === 0 && <Text c="dimmed">{t("parts.unused")}</Text>}
              <ul style={{ margin: 0, paddingInlineStart: "1.2rem" }}>
                {uses.map((use) => (
                  <li key={`${use.definition_id}${use.node_id}`}>
                    <TextLink to="/workflows/$definitionId" params={{ definitionId: use.definition_id }}>
                      {t("parts.use", { step: use.node_name ?? spoken(use.node_id), workflow: use.definition_name, version: use.version })}
                    </TextLink>{" "}
                    {use.in_force && (
                      <Text span size="sm" c="dimmed">
                        {t("parts.in_force")}
                      </Text>
                    )}
                  </li>
                ))}
              </ul>
              <Group>
                <ActionButton needs={needs} variant="default" color="rust" onClick={() => setAsking(true)}>
                  {t("parts.delete")}
                </ActionButton>
              </Group>
              <Confirm
                opened={asking}
                title={t("parts.delete_title", { name })}
                action={t(breaking.length > 0 ? "parts.delete_anyway" : "parts.delete")}
                danger
                busy={remove.isPending}
                error={remove.error}
                onClose={() => setAsking(false)}
                onConfirm={() =>
                  remove.mutate(
                    { kind, name, anyway: breaking.length > 0 },
                    {
                      onSuccess: () => {
                        done(t("parts.deleted", { name }));
                        onDeleted();
                      },
                    },
                  )
                }
              >
                {breaking.length === 0 ? (
                  t("parts.breaks_nothing")
                ) : (
                  <Alert color="rust" title={t("parts.breaks", { count: breaking.length })}>
                    {breaking.map((use) => (
                      <div key={`${use.definition_id}${use.node_id}`}>{t("parts.use", { step: use.node_name ?? spoken(use.node_id), workflow: use.definition_name, version: use.version })}</div>
                    ))}
                  </Alert>
                )}
              </Confirm>
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}
