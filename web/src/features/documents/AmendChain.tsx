/** A document with all it replaced and all that replaced it, as one history. */
import { Card, Group, List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Document } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { TextLink } from "../../ui/LinkButton";
import { When } from "../../ui/When";
import type { Contract } from "./contract";
import { StateBadge } from "./StateBadge";
import { Changes, useValueWords } from "./Values";
import { headlineOf } from "./values";

export function AmendChain({ chain, here, contract }: { chain: readonly Document[]; here: string; contract: Contract }) {
  const { t } = useTranslation();
  const words = useValueWords();
  return (
    <Card component="section" aria-labelledby="chain-title">
      <Title order={2} size="h3" mb="md" id="chain-title">
        {t("documents.chain")}
      </Title>
      <List type="ordered" spacing="md">
        {chain.map((document, at) => {
          const before = chain[at - 1];
          const head = headlineOf(contract.schema, document.data as JsonObject, words);
          return (
            <List.Item key={document.id}>
              <Stack gap={4}>
                <Group gap="sm">
                  {document.id === here ? (
                    <Text fw={600}>{t("documents.itself")}</Text>
                  ) : (
                    <TextLink to="/documents/$documentId" params={{ documentId: document.id }}>
                      {head.name ?? document.id}
                    </TextLink>
                  )}
                  <StateBadge contract={contract} status={document.doc_status} />
                  <Text size="sm" c="dimmed">
                    <When at={document.created_at} as="exact" />
                  </Text>
                </Group>
                {before && <Changes schema={contract.schema} before={before.data as JsonObject} after={document.data as JsonObject} />}
              </Stack>
            </List.Item>
          );
        })}
      </List>
    </Card>
  );
}
