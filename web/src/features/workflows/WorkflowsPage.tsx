/** Every document type: what is in force, drafts of it, and the versions before. */
import { Button, Card, Group, Stack } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDefinitions } from "../../api/definitions";
import { useContracts } from "../../api/documents";
import { spoken } from "../../forms/schema";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { contractOf } from "../documents/contract";
import { OfType } from "./OfType";
import { byType } from "./workflows";

export function WorkflowsPage() {
  const { t } = useTranslation();
  const contracts = useContracts();
  const query = useDefinitions({});
  const titles = useMemo(() => new Map((contracts.data ?? []).map((info) => [info.entity_type, contractOf(info).title])), [contracts.data]);
  const newest = useMemo(() => new Map((contracts.data ?? []).map(({ entity_type, version }) => [entity_type, version])), [contracts.data]);
  return (
    <Page title={t("workflows.title")} intro={t("workflows.intro")} needs="processes:read">
      <Loaded query={query} lines={4} height={96}>
        {({ pages }) => {
          const all = byType(pages.flatMap((page) => page.items), [...titles.keys()]);
          const documents = all.filter(({ automation }) => !automation);
          return (
            <Stack gap="lg">
              {documents.length === 0 && <Notice title={t("workflows.empty")}>{t("workflows.empty_hint")}</Notice>}
              {documents.map((workflow) => (
                <Card key={workflow.entityType} component="section" aria-label={titles.get(workflow.entityType) ?? spoken(workflow.entityType)}>
                  <OfType workflow={workflow} title={titles.get(workflow.entityType) ?? spoken(workflow.entityType)} {...(newest.has(workflow.entityType) && { newest: newest.get(workflow.entityType) ?? 1 })} />
                </Card>
              ))}
              {query.hasNextPage && (
                <Group justify="center">
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t("documents.more")}
                  </Button>
                </Group>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
