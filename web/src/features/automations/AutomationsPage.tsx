/** Automations, and the triggers that start them. */
import { Button, Card, Group, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCreateAutomation, useDefinitions } from "../../api/definitions";
import { spoken } from "../../forms/schema";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { OfType } from "../workflows/OfType";
import { byType } from "../workflows/workflows";
import { Triggers } from "./Triggers";

const DESIGN = "processes:design";

export function AutomationsPage() {
  const { t } = useTranslation();
  const query = useDefinitions({});
  return (
    <Page title={t("parts.automations")} intro={t("parts.automations_intro")} needs="processes:read">
      <Loaded query={query} lines={4} height={96}>
        {({ pages }) => {
          const automations = byType(pages.flatMap((page) => page.items), []).filter(({ automation }) => automation);
          return (
            <Stack gap="lg">
              {automations.map((workflow) => (
                <Card key={workflow.entityType} component="section" aria-label={spoken(workflow.entityType)}>
                  <OfType workflow={workflow} title={spoken(workflow.entityType)} />
                </Card>
              ))}
              {query.hasNextPage && (
                <Group justify="center">
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t("documents.more")}
                  </Button>
                </Group>
              )}
              <Card>
                {automations.length === 0 && <Notice>{t("workflows.no_automations")}</Notice>}
                <NewAutomation centred={automations.length === 0} />
              </Card>
              <Card>
                <Triggers automations={automations.map(({ entityType }) => entityType)} />
              </Card>
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NewAutomation({ centred }: { centred: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateAutomation();
  const [name, setName] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name }, { onSuccess: (draft) => void navigate({ to: "/workflows/$definitionId", params: { definitionId: draft.id } }) });
      }}
    >
      <Group align="flex-end" gap="sm" {...(centred && { justify: "center", pb: "lg" })}>
        <TextInput label={t("workflows.automation_name")} value={name} placeholder="mirror_tasks" onChange={(event) => setName(event.currentTarget.value)} />
        <ActionButton needs={DESIGN} type="submit" variant="default" loading={create.isPending}>
          {t("workflows.new_automation")}
        </ActionButton>
      </Group>
      {create.isError && <ProblemAlert error={create.error} />}
    </form>
  );
}
