/** One draft: its slots, the drawing of one of them, what is selected, what is wrong, and publishing it. */
import { Badge } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconArrowLeft } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useContract } from "../../api/documents";
import { useDefinition, usePalette } from "../../api/definitions";
import { asProblem } from "../../api/problem";
import { useNewestDefinition, useCompiled } from "../../api/processes";
import { Builder } from "../../builder/Builder";
import { spoken } from "../../forms/schema";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { contractOf } from "../documents/contract";

const route = getRouteApi("/workflows/$definitionId");

export function BuilderPage() {
  const { t } = useTranslation();
  const { definitionId } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const query = useDefinition(definitionId);
  const definition = query.data;
  const palette = usePalette();
  const contract = useContract(definition?.entity_type);
  const newest = useNewestDefinition(definition?.entity_type ?? "");
  const inForce = useCompiled(newest.data?.id);
  const missing = query.isError && ["not_found", "invalid_input"].includes(asProblem(query.error).code);
  const type = contract ? contractOf(contract).title : spoken(definition?.entity_type ?? "");
  return (
    <Page
      title={definition ? (definition.name === definition.entity_type ? type : definition.name) : t("workflows.title")}
      needs="processes:read"
      intro={
        definition && (
          <>
            {t("builder.draft_of", { type, version: definition.base_version ?? 1 })} <Badge color="slate">{t(`workflows.status_${definition.status}`)}</Badge>
          </>
        )
      }
    >
      <div>
        <LinkButton to="/workflows" variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("builder.back")}
        </LinkButton>
      </div>
      {missing ? (
        <Notice>{t("builder.no_draft")}</Notice>
      ) : (
        <Loaded query={query} lines={4} height={120}>
          {(found) => (
            <Loaded query={palette} lines={4} height={120}>
              {(known) => (
                <Builder
                  key={found.id}
                  definition={found}
                  palette={known}
                  inForce={inForce.data ?? null}
                  inForceId={newest.data?.id}
                  view={view}
                  onView={(next, replace = true) => void navigate({ search: next, replace, resetScroll: false })}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  );
}
