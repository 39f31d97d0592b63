/** One document type or automation: what is in force, drafts of it, and the versions before. */
import { Alert, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useArchive, useCreateDraft, useDeleteDraft, useRecompile, useRollBack } from "../../api/definitions";
import type { Definition } from "../../api/types";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { later } from "../../ui/later";
import { TextLink } from "../../ui/LinkButton";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import type { Workflow } from "./workflows";

// Comes with the builder's parts, which this page does not need otherwise.
const LazyUpgrade = later(() => import("../../builder/Upgrade").then((module) => module.UpgradeDialog));

const DESIGN = "processes:design";

const Skeleton = later(() => import("./Skeleton").then((module) => module.Skeleton));

interface Props {
  workflow: Workflow;
  title: string;
  /** The newest version of its contract; none for an automation. */
  newest?: number;
  /** Another release compiled what is in force. */
  stale?: boolean;
}

export function OfType({ workflow, title, newest, stale = false }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateDraft();
  const recompile = useRecompile();
  const archive = useArchive();
  const [archiving, setArchiving] = useState(false);
  const [upgrading, setUpgrading] = useState(false);
  const [skeleton, setSkeleton] = useState(false);
  const { inForce, drafts, earlier, entityType, source } = workflow;
  const begin = () =>
    create.mutate({ entity_type: entityType, from: source }, { onSuccess: (draft) => void navigate({ to: "/workflows/$definitionId", params: { definitionId: draft.id } }) });
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {inForce && source ? (
              <>
                {t("workflows.in_force")} · <TextLink underline="always" to="/workflows/$definitionId" params={{ definitionId: source }}>{t("workflows.version", { version: inForce.version })}</TextLink>
                {inForce.published_by && (
                  <>
                    {" · "}
                    {t("workflows.published_by", { by: actorName(inForce.published_by) })}
                    {inForce.published_at && (
                      <>
                        {" · "}
                        <When at={inForce.published_at} />
                      </>
                    )}
                  </>
                )}
              </>
            ) : (
              <>
                {t("workflows.in_force")} · {t("workflows.skeleton_only")}
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          <ActionButton needs={DESIGN} size="xs" loading={create.isPending} leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={begin}>
            {t("workflows.new_draft")}
          </ActionButton>
          {inForce && source && (
            <>
              <ActionButton needs={DESIGN} size="xs" variant="default" loading={recompile.isPending} onClick={() => recompile.mutate(entityType)}>
                {t("workflows.recompile")}
              </ActionButton>
              <ActionButton needs={DESIGN} size="xs" variant="default" onClick={() => setArchiving(true)}>
                {t("workflows.archive")}
              </ActionButton>
            </>
          )}
        </Group>
      </Group>
      {[create, recompile].map((change, at) => change.isError && <ProblemAlert key={at} error={change.error} />)}
      {stale && (
        <Alert color="ochre" title={t("workflows.stale")}>
          {t("workflows.stale_hint")}
        </Alert>
      )}
      {inForce && source && newest !== undefined && newest > (inForce.base_version ?? 1) && (
        <Alert color="ochre" title={t("workflows.upgradable", { version: newest })}>
          <Button size="xs" variant="default" onClick={() => setUpgrading(true)}>
            {t("workflows.look_at_upgrade")}
          </Button>
        </Alert>
      )}
      {upgrading && source && (
        <Suspense>
          <LazyUpgrade source={source} onClose={() => setUpgrading(false)} />
        </Suspense>
      )}
      {drafts.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t("workflows.drafts")}
          </Text>
          {drafts.map((draft) => (
            <DraftLine key={draft.id} draft={draft} title={title} />
          ))}
        </Stack>
      )}
      {earlier.length > 0 && (
        <details>
          <summary>
            <Text size="sm" component="span">
              {t("workflows.history")} ({earlier.length})
            </Text>
          </summary>
          <Stack gap={4} mt="xs">
            {earlier.map((version) => (
              <VersionLine key={version.id} version={version} />
            ))}
          </Stack>
        </details>
      )}
      {newest !== undefined && (
        <details onToggle={(event) => setSkeleton(event.currentTarget.open)}>
          <summary>
            <Text size="sm" component="span">
              {t("workflows.contract")}
            </Text>
          </summary>
          {skeleton && (
            <Suspense>
              <Skeleton entityType={entityType} title={title} />
            </Suspense>
          )}
        </details>
      )}
      <Confirm opened={archiving} title={t("workflows.archive")} action={t("workflows.archive")} danger busy={archive.isPending} error={archive.error} onClose={() => setArchiving(false)} onConfirm={() => archive.mutate(entityType, { onSuccess: () => setArchiving(false) })}>
        {t("workflows.archive_text")}
      </Confirm>
    </Stack>
  );
}

function DraftLine({ draft, title }: { draft: Definition; title: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteDraft();
  return (
    <Group gap="sm">
      <TextLink to="/workflows/$definitionId" params={{ definitionId: draft.id }} fw={500}>
        {draft.name === draft.entity_type ? title : draft.name}
      </TextLink>
      <Badge color="ochre">{t("workflows.status_draft")}</Badge>
      <Text size="sm" c="dimmed">
        {actorName(draft.created_by)} · <When at={draft.updated_at} />
      </Text>
      <ActionButton needs={DESIGN} size="compact-xs" variant="subtle" color="rust" onClick={() => setAsking(true)}>
        {t("workflows.delete_draft")}
      </ActionButton>
      <Confirm opened={asking} title={t("workflows.delete_draft")} action={t("workflows.delete_draft")} danger busy={remove.isPending} error={remove.error} onClose={() => setAsking(false)} onConfirm={() => remove.mutate({ id: draft.id, revision: draft.revision }, { onSuccess: () => setAsking(false) })}>
        {t("workflows.delete_draft_text")}
      </Confirm>
    </Group>
  );
}

function VersionLine({ version }: { version: Definition }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const rollBack = useRollBack();
  return (
    <Group gap="sm">
      <Text size="sm">{t("workflows.version", { version: version.version })}</Text>
      <Badge color="slate">{t(`workflows.status_${version.status}`)}</Badge>
      <Text size="sm" c="dimmed">
        {version.published_by && actorName(version.published_by)} {version.published_at && <When at={version.published_at} />}
      </Text>
      <ActionButton needs={DESIGN} size="compact-xs" variant="subtle" onClick={() => setAsking(true)}>
        {t("workflows.roll_back")}
      </ActionButton>
      <Confirm opened={asking} title={t("workflows.roll_back")} action={t("workflows.roll_back")} busy={rollBack.isPending} error={rollBack.error} onClose={() => setAsking(false)} onConfirm={() => rollBack.mutate({ entity_type: version.entity_type, version: version.version }, { onSuccess: () => setAsking(false) })}>
        {t("workflows.roll_back_text", { version: version.version })}
      </Confirm>
    </Group>
  );
}

/** `user:ana` as people say it. */
const actorName = (actor: string): string => actor.replace(/^[a-z_]+:/, "");
