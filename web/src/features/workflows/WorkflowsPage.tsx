/** Every document type: what is in force, drafts of it, and the versions before; and templates to begin with. */
import { Button, Card, Group, NativeSelect, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconLayoutGrid } from "@tabler/icons-react";
import { Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDefinitions, useWorkflows } from "../../api/definitions";
import { useContracts } from "../../api/documents";
import { spoken } from "../../forms/schema";
import { later } from "../../ui/later";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { contractOf } from "../documents/contract";
import { OfType } from "./OfType";
import { WORKFLOW_STATES, workflowsView } from "./view";
import { byType, stands } from "./workflows";

const Templates = later(() => import("./Templates").then((module) => module.Templates));
const route = getRouteApi("/workflows");

export function WorkflowsPage() {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const contracts = useContracts();
  const query = useDefinitions({});
  const overviews = useWorkflows();
  const titles = useMemo(() => new Map((contracts.data ?? []).map((info) => [info.entity_type, contractOf(info).title])), [contracts.data]);
  const newest = useMemo(() => new Map((contracts.data ?? []).map(({ entity_type, version }) => [entity_type, version])), [contracts.data]);
  const { state } = view;
  /** Of two types that people call the same, each with its own name. */
  const titleOf = (type: string) => {
    const title = titles.get(type) ?? spoken(type);
    return [...titles.values()].filter((each) => each === title).length > 1 ? `${title} (${type})` : title;
  };
  const show = (next: Readonly<Record<string, unknown>>, replace = true) => void navigate({ search: workflowsView({ ...view, ...next }), replace, resetScroll: false });
  return (
    <Page
      title={t("workflows.title")}
      intro={t("workflows.intro")}
      needs="processes:read"
      actions={
        <Group gap="sm">
          <NativeSelect
            aria-label={t("documents.state")}
            w="10rem"
            value={state ?? ""}
            data={[{ value: "", label: t("documents.state_any") }, ...WORKFLOW_STATES.map((value) => ({ value, label: t(`workflows.state_${value}`) }))]}
            onChange={(event) => show({ state: event.currentTarget.value })}
          />
          <Button variant="default" leftSection={<IconLayoutGrid size={16} aria-hidden="true" />} onClick={() => show({ template: "" }, false)}>
            {t("workflows.templates")}
          </Button>
        </Group>
      }
    >
      <Loaded query={query} lines={4} height={96}>
        {({ pages }) => {
          const overviewOf = (type: string) => overviews.data?.find(({ entity_type }) => entity_type === type);
          const documents = byType(pages.flatMap((page) => page.items), [...titles.keys()]).filter(({ automation }) => !automation);
          const found = state === undefined ? documents : documents.filter((each) => stands(each, overviewOf(each.entityType), state));
          return (
            <Stack gap="lg">
              {documents.length === 0 && <Notice title={t("workflows.empty")}>{t("workflows.empty_hint")}</Notice>}
              {documents.length > 0 && found.length === 0 && (
                <Notice
                  title={t("workflows.none_match")}
                  action={
                    <Button variant="default" size="xs" onClick={() => show({ state: "" })}>
                      {t("inbox.filter_clear")}
                    </Button>
                  }
                />
              )}
              {found.map((workflow) => {
                const { entityType } = workflow;
                const title = titleOf(entityType);
                const version = newest.get(entityType);
                return (
                  <Card key={entityType} component="section" aria-label={title}>
                    <OfType workflow={workflow} title={title} stale={overviewOf(entityType)?.stale ?? false} {...(version !== undefined && { newest: version })} />
                  </Card>
                );
              })}
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
      {view.template !== undefined && (
        <Suspense fallback={null}>
          <Templates chosen={view.template} types={titles} onChoose={(template) => show({ template })} onClose={() => show({ template: undefined })} />
        </Suspense>
      )}
    </Page>
  );
}
