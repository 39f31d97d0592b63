/**
 * One document's whole story on one page, to print: versions with what changed in each, decisions with who, when, why and on which
 * hash, the expressions that decided its way, what was sent; and how anybody can check that none of it was altered since.
 */
import { Button, Code, Group, List, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconArrowLeft, IconPrinter } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useAmendChain, useContract, useDocument, useEarlier, useVersions } from "../../api/documents";
import { useRequestDetails } from "../../api/people";
import { useEffects, useProcesses, useStory } from "../../api/processes";
import type { Document, DocumentVersion, Instance } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { Facts } from "../../ui/Facts";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { exactTime } from "../../ui/time";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { Progress } from "../inbox/Progress";
import { traceLines } from "../processes/moments";
import { type Contract, contractOf, stateTitle } from "./contract";
import { Story } from "./Story";
import { chainStory, statusWord } from "./story";
import classes from "./StoryPage.module.css";
import { Changes, useValueWords, Values } from "./Values";
import { headlineOf } from "./values";

const route = getRouteApi("/documents/$documentId/story");

export function StoryPage() {
  const { t } = useTranslation();
  const { documentId } = route.useParams();
  const query = useDocument(documentId);
  const info = useContract(query.data?.entity_type);
  const contract = useMemo(() => info && contractOf(info), [info]);
  const words = useValueWords();
  const name = query.data && contract ? headlineOf(contract.schema, query.data.data as JsonObject, words).name : undefined;
  return (
    <Page
      title={t("paper.title", { what: [contract?.title, name].filter(Boolean).join(" ") })}
      needs="documents:read"
      intro={t("paper.made_at", { at: exactTime(new Date()) })}
      actions={
        <Button className={classes.screen} leftSection={<IconPrinter size={16} aria-hidden="true" />} onClick={() => window.print()}>
          {t("paper.print")}
        </Button>
      }
    >
      <div className={classes.screen}>
        <LinkButton to="/documents/$documentId" params={{ documentId }} variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("paper.back")}
        </LinkButton>
      </div>
      <Loaded query={query} lines={6} height={72}>
        {(document) => (contract ? <Paper document={document} contract={contract} /> : null)}
      </Loaded>
    </Page>
  );
}

function Paper({ document, contract }: { document: Document; contract: Contract }) {
  const { t } = useTranslation();
  const versions = useVersions(document.id);
  const requests = useRequestDetails({ document_id: document.id });
  const processes = useProcesses({ document: document.id }, false);
  const instance = processes.data?.pages[0]?.items[0];
  const told = useStory(instance?.id ?? "", false);
  const chain = useAmendChain(document);
  const earlier = useEarlier(chain.data ?? [], document.id);
  // What it replaced belongs to it: all of them, oldest first.
  const whole = [...(earlier.data ?? []), { versions: versions.data ?? [], requests: requests.data ?? [], steps: told.data?.steps ?? [] }];
  const entries = chainStory(whole);
  const asked = whole.flatMap((each) => each.requests);
  const traced = whole.flatMap(({ steps }) => steps).filter((step) => traceLines(step).length > 0);
  return (
    <div className={classes.paper}>
      <Part title={t("paper.now")}>
        <Facts
          facts={[
            [t("documents.state"), stateTitle(contract, document.doc_status)],
            [t("documents.version"), document.entity_version],
            [t("documents.made_by"), <>{actorName(document.created_by).name} · <When at={document.created_at} as="exact" /></>],
            [t("paper.id"), <code key="id" className={classes.hash}>{document.id}</code>],
            [t("paper.hash"), <code key="hash" className={classes.hash}>{document.content_hash}</code>],
            document.amended_from_id && [t("documents.amended_from"), <code key="from" className={classes.hash}>{document.amended_from_id}</code>],
            document.amended_to_id && [t("documents.amended_to"), <code key="to" className={classes.hash}>{document.amended_to_id}</code>],
          ]}
        />
      </Part>
      <Part title={t("documents.timeline")}>
        <Story entries={entries} contract={contract} exact />
      </Part>
      <Part title={t("documents.tab_versions")}>
        {whole.map((each, at) => (
          <VersionList key={at} versions={each.versions} contract={contract} of={whole.length > 1 ? (each.versions[0]?.document_id ?? null) : null} />
        ))}
      </Part>
      <Part title={t("documents.tab_decisions")}>
        {asked.map((detail) => (
          <div key={detail.request.id} className={classes.part}>
            <Text fw={600}>
              {detail.request.title} · {t("documents.version_n", { version: detail.request.entity_version })} · {t(`people.status_${statusWord(detail.request.status)}`)}
            </Text>
            <Progress detail={detail} exact />
          </div>
        ))}
        {requests.data && asked.length === 0 && <Text c="dimmed">{t("documents.no_requests")}</Text>}
      </Part>
      {traced.length > 0 && (
        <Part title={t("processes.trace")}>
          <List size="sm">
            {traced.flatMap((step) =>
              traceLines(step).map((trace) => (
                <List.Item key={`${step.id}.${trace.expression}`}>
                  <Code>{trace.expression}</Code> <span lang="en">{trace.because}</span> · <When at={step.created_at} as="exact" />
                </List.Item>
              )),
            )}
          </List>
        </Part>
      )}
      {instance && <Sent instance={instance} />}
      <Part title={t("paper.check")}>
        <Text size="sm" mb="xs">
          {t("paper.check_hint")}
        </Text>
        <Code block>holdfast audit verify</Code>
      </Part>
    </div>
  );
}

/** `of`: the document they are of, where there are several. */
function VersionList({ versions, contract, of }: { versions: readonly DocumentVersion[]; contract: Contract; of: string | null }) {
  const { t } = useTranslation();
  const ordered = [...versions].sort((one, other) => one.version - other.version);
  return ordered.map((version, at) => {
    const before = ordered[at - 1];
    return (
      <div key={version.id} className={classes.part}>
        <Text fw={600}>
          {t("documents.version_n", { version: version.version })} · {actorName(version.created_by).name} · <When at={version.created_at} as="exact" />
        </Text>
        <code className={classes.hash}>{of === null ? version.content_hash : `${of} · ${version.content_hash}`}</code>
        <Stack mt="xs">
          {before ? <Changes schema={contract.schema} before={before.data as JsonObject} after={version.data as JsonObject} /> : <Values schema={contract.schema} data={version.data as JsonObject} />}
        </Stack>
      </div>
    );
  });
}

function Sent({ instance }: { instance: Instance }) {
  const { t } = useTranslation();
  const effects = useEffects({ instance_id: instance.id });
  if (!effects.data || effects.data.items.length === 0) return null;
  return (
    <Part title={t("paper.effects")}>
      <List size="sm">
        {effects.data.items.map((effect) => (
          <List.Item key={effect.id}>
            <Group gap="xs">
              {effect.kind} · {t(`paper.effect_${effect.status as "pending"}`, { defaultValue: effect.status })} · <When at={effect.completed_at ?? effect.created_at} as="exact" />
            </Group>
          </List.Item>
        ))}
      </List>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </section>
  );
}
