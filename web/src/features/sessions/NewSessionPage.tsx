/** A new session, from the form that its definition asks for. What is typed survives until it is started. */
import { Alert, Card, NativeSelect, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type SessionDefinition, useSessionDefinitions, useStartSession } from "../../api/sessions";
import { emptyOf, type Schema } from "../../forms/schema";
import { SchemaForm } from "../../forms/SchemaForm";
import { beginning } from "../../forms/state";
import { useSchemaForm } from "../../forms/useSchemaForm";
import type { Json } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { Previous } from "./Previous";

const route = getRouteApi("/sessions/new");

export function NewSessionPage() {
  const { t } = useTranslation();
  const { workflow } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useSessionDefinitions();
  return (
    <Page title={t("sessions.start")} intro={t("sessions.start_intro")} needs="sessions:write">
      <div>
        <LinkButton to="/sessions" variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("sessions.back")}
        </LinkButton>
      </div>
      <Loaded query={query} lines={4} height={56}>
        {(all) => {
          const known = all.filter(({ phase }) => phase !== "Error");
          const chosen = known.find(({ name }) => name === workflow) ?? known[0];
          if (!chosen) return <Notice title={t("sessions.no_definitions")}>{t("sessions.no_definitions_hint")}</Notice>;
          return (
            <Card>
              <Stack>
                <NativeSelect
                  label={t("sessions.definition")}
                  value={chosen.name}
                  data={known.map(({ name, display_name }) => ({ value: name, label: display_name || name }))}
                  onChange={(event) => void navigate({ search: { workflow: event.currentTarget.value }, replace: true })}
                  maw={320}
                />
                <Text size="sm" c="dimmed">
                  {chosen.description}{" "}
                  {chosen.version ? t("sessions.version", { version: chosen.version, revision: chosen.revision }) : t("sessions.revision", { revision: chosen.revision })}
                </Text>
                {chosen.phase === "Deprecated" && (
                  <Alert color="ochre" title={t("sessions.deprecated")}>
                    <span lang="en">{chosen.phase_reason}</span>
                  </Alert>
                )}
                <Form key={`${chosen.name}.${chosen.revision}`} definition={chosen} />
              </Stack>
            </Card>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Form({ definition }: { definition: Pick<SessionDefinition, "name" | "input_schema"> }) {
  const { t } = useTranslation();
  const { tenant, me } = useSignedIn();
  const navigate = route.useNavigate();
  const start = useStartSession();
  const schema = definition.input_schema as Schema;
  const initial = useMemo<Json>(() => emptyOf(schema, schema) ?? {}, [schema]);
  const form = useSchemaForm({
    schema,
    initial,
    draftKey: `${tenant}.${me.name}.session.${definition.name}`,
    under: "input",
    onSubmit: async (input) => {
      const { session_name } = await start.mutateAsync({ workflow: definition.name, name: null, input });
      await navigate({ to: "/sessions/$sessionName", params: { sessionName: session_name } });
    },
  });
  return (
    <Stack>
      <Previous workflow={definition.name} onChoose={(value) => form.dispatch({ kind: "reset", state: beginning(value) })} />
      <SchemaForm form={form} schema={schema} action={t("sessions.start_action")} />
    </Stack>
  );
}
