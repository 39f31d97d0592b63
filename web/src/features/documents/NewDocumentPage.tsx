/** A new document, from the form that its contract asks for. What is typed survives until it is created. */
import { Card, NativeSelect, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconArrowLeft } from "@tabler/icons-react";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes, useCreateDocument } from "../../api/documents";
import { emptyOf } from "../../forms/schema";
import { SchemaForm } from "../../forms/SchemaForm";
import { useSchemaForm } from "../../forms/useSchemaForm";
import type { Json, JsonObject } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { done } from "../../ui/notify";
import { Page } from "../../ui/Page";
import { type Contract, contractOf } from "./contract";

const route = getRouteApi("/documents/new");

export function NewDocumentPage() {
  const { t } = useTranslation();
  const contracts = useDocumentTypes();
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const info = contracts.data?.find((each) => each.entity_type === type) ?? contracts.data?.[0];
  return (
    <Page title={t("documents.new_title")} needs="documents:write" intro={t("documents.new_intro")}>
      <div>
        <LinkButton to="/documents" search={type ? { type } : {}} variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("documents.back")}
        </LinkButton>
      </div>
      <Loaded query={contracts} lines={5} height={56}>
        {(known) =>
          info ? (
            <Card>
              <Stack>
                <NativeSelect
                  label={t("documents.type")}
                  value={info.entity_type}
                  data={known.map((each) => ({ value: each.entity_type, label: contractOf(each).title }))}
                  onChange={(event) => void navigate({ search: { type: event.currentTarget.value }, replace: true })}
                  maw={320}
                />
                <Form key={info.entity_type} contract={contractOf(info)} />
              </Stack>
            </Card>
          ) : (
            <Notice title={t("documents.no_types")}>{t("documents.no_types_hint")}</Notice>
          )
        }
      </Loaded>
    </Page>
  );
}

function Form({ contract }: { contract: Contract }) {
  const { t } = useTranslation();
  const { tenant, me } = useSignedIn();
  const navigate = route.useNavigate();
  const create = useCreateDocument();
  // Sent again after a lost answer, it is the same document.
  const key = useRef(crypto.randomUUID());
  const initial = useMemo<Json>(() => emptyOf(contract.schema, contract.schema) ?? {}, [contract.schema]);
  const form = useSchemaForm({
    schema: contract.schema,
    initial,
    draftKey: `${tenant}.${me.name}.new.${contract.type}`,
    under: "data",
    onSubmit: async (value) => {
      const made = await create.mutateAsync({ entity_type: contract.type, data: value as JsonObject, key: key.current });
      done(t("documents.created"));
      await navigate({ to: "/documents/$documentId", params: { documentId: made.id } });
    },
  });
  return <SchemaForm form={form} schema={contract.schema} action={t("documents.create_action")} />;
}
