/** The latest operations over many things: how each went. */
import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useOperations } from "../../api/operate";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { When } from "../../ui/When";
import { kindOf, verdictOf, wordOf } from "../operations/view";

export function Lately() {
  const { t } = useTranslation();
  const query = useOperations();
  return (
    <Loaded query={query} lines={2} inset>
      {({ items }) =>
        items.length === 0 ? (
          <Text c="dimmed" px="md" pb="md">
            {t("health.no_operations")}
          </Text>
        ) : (
          <Stack gap="xs" px="md" pb="md">
            {items.map((operation) => {
              const kind = kindOf(operation.kind);
              return (
                <Group key={operation.id} justify="space-between">
                  <TextLink to="/operations/$operationId" params={{ operationId: operation.id }}>
                    {kind ? t(`operations.all_${wordOf(kind)}`) : operation.kind}
                  </TextLink>
                  <Text size="sm" c="dimmed">
                    {t(`operations.verdict_${verdictOf(operation)}`)} <When at={operation.created_at} />
                  </Text>
                </Group>
              );
            })}
          </Stack>
        )
      }
    </Loaded>
  );
}
