/** One document: its form beside what happened to it, where it stands, and what may be done with it now. */
import { Alert, Badge, Card, Group, Stack, Tabs, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconArrowLeft, IconLock, IconPencil, IconPrinter, IconVersions } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAmendChain, useContracts, useDocument, useEarlier, useSaveDocument, useVersions } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { useRequestDetails } from "../../api/people";
import { asProblem } from "../../api/problem";
import { useProcesses, useStory } from "../../api/processes";
import type { Document, Instance } from "../../api/types";
import { SchemaForm } from "../../forms/SchemaForm";
import { useSchemaForm } from "../../forms/useSchemaForm";
import type { JsonObject } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { done } from "../../ui/notify";
import { Page } from "../../ui/Page";
import { When } from "../../ui/When";
import { Overtaken, type Seen } from "../inbox/Overtaken";
import { AmendChain } from "./AmendChain";
import { type Contract, contractOf, type EditWindow } from "./contract";
import { Decisions } from "./Decisions";
import classes from "./DocumentPage.module.css";
import type { DocumentView } from "./filter";
import { Links } from "./Links";
import { Moves } from "./Moves";
import { StateBadge } from "./StateBadge";
import { Stepper } from "./Stepper";
import { Story } from "./Story";
import { chainStory } from "./story";
import { Values, useValueWords } from "./Values";
import { headlineOf } from "./values";
import { Versions } from "./Versions";
import { Waiting } from "./Waiting";

const route = getRouteApi("/documents/$documentId");

export function DocumentPage() {
  const { t } = useTranslation();
  const { documentId } = route.useParams();
  const every = useFresh(["documents", "processes", "inbox"]);
  const query = useDocument(documentId, every);
  const contracts = useContracts();
  const words = useValueWords();
  const problem = query.isError ? asProblem(query.error) : null;
  const missing = problem?.code === "not_found" || problem?.code === "invalid_input";
  const document = query.data;
  const info = contracts.data?.find((each) => each.entity_type === document?.entity_type);
  const contract = useMemo(() => info && contractOf(info), [info]);
  const head = document && contract ? headlineOf(contract.schema, document.data as JsonObject, words) : undefined;
  return (
    <Page
      title={document ? `${contract?.title ?? document.entity_type} ${head?.name ?? ""}`.trim() : t("documents.one")}
      needs="documents:read"
      intro={
        document && (
          <Group component="span" gap="xs" display="inline-flex">
            {[head?.amount, head?.about, t("documents.version_n", { version: document.entity_version })].filter(Boolean).join(" · ")}
            <StateBadge contract={contract} status={document.doc_status} />
          </Group>
        )
      }
      actions={<LiveBadge />}
    >
      <Group justify="space-between">
        <LinkButton
          to="/documents"
          search={document ? { type: document.entity_type } : {}}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
        >
          {t("documents.back")}
        </LinkButton>
        {document && (
          <LinkButton
            to="/documents/$documentId/story"
            params={{ documentId: document.id }}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPrinter size={16} aria-hidden="true" />}
          >
            {t("documents.whole_story")}
          </LinkButton>
        )}
      </Group>
      {missing ? (
        <Notice>{t("documents.missing")}</Notice>
      ) : (
        <Loaded query={query} lines={5} height={72}>
          {(found) => (contract ? <Told document={found} contract={contract} every={every} /> : null)}
        </Loaded>
      )}
    </Page>
  );
}

function Told({ document, contract, every }: { document: Document; contract: Contract; every: number | false }) {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const versions = useVersions(document.id);
  const requests = useRequestDetails({ document_id: document.id }, every);
  const processes = useProcesses({ document: document.id }, every);
  const instance = processes.data?.pages[0]?.items[0];
  const told = useStory(instance?.id ?? "", every);
  const chain = useAmendChain(document);
  const earlier = useEarlier(chain.data ?? [], document.id);
  const entries = useMemo(
    () => chainStory([...(earlier.data ?? []), { versions: versions.data ?? [], requests: requests.data ?? [], steps: told.data?.steps ?? [] }]).reverse(),
    [earlier.data, versions.data, requests.data, told.data],
  );
  const amended = (chain.data?.length ?? 0) > 1;
  const show = (next: DocumentView) => void navigate({ search: next, replace: true, resetScroll: false });
  const decided = (requests.data ?? []).reduce((sum, { decisions }) => sum + decisions.length, 0);
  return (
    <Stack gap="lg">
      <Card>
        <Stack gap="md">
          <Stepper contract={contract} status={document.doc_status} />
          <Waiting requests={requests.data ?? []} instance={instance} />
          <Moves document={document} contract={contract} />
        </Stack>
      </Card>
      <AmendedNotice document={document} />
      <Tabs value={view.tab ?? "content"} onChange={(tab) => show(tab === "content" ? {} : { tab: tab as NonNullable<DocumentView["tab"]> })} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="content">{t("documents.tab_content")}</Tabs.Tab>
          <Tabs.Tab value="versions" rightSection={<Count of={document.entity_version} />}>
            {t("documents.tab_versions")}
          </Tabs.Tab>
          <Tabs.Tab value="decisions" rightSection={<Count of={decided} />}>
            {t("documents.tab_decisions")}
          </Tabs.Tab>
          {amended && (
            <Tabs.Tab value="history" rightSection={<Count of={chain.data?.length ?? 0} />}>
              {t("documents.tab_chain")}
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="content">
          <div className={classes.columns}>
            <Card component="section" aria-labelledby="content-title">
              <Title order={2} size="h3" mb="md" id="content-title">
                {t("documents.content")}
              </Title>
              <Content document={document} contract={contract} instance={instance} />
            </Card>
            <Stack gap="lg" miw={0}>
              <Card component="section" aria-labelledby="timeline-title">
                <Title order={2} size="h3" mb="sm" id="timeline-title">
                  {t("documents.timeline")}
                </Title>
                {entries.length > 0 ? <Story entries={entries} contract={contract} /> : <Notice>{t("documents.no_story")}</Notice>}
              </Card>
              <Links document={document} />
            </Stack>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Loaded query={versions} lines={4}>
            {(found) => <Versions versions={found} contract={contract} view={view} onView={(next) => show({ tab: "versions", ...next })} />}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="decisions">
          <Loaded query={requests} lines={4}>
            {(found) => <Decisions requests={found} contract={contract} versions={versions.data ?? []} />}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Loaded query={chain} lines={3}>
            {(found) => <AmendChain chain={found} here={document.id} contract={contract} />}
          </Loaded>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Count({ of }: { of: number }) {
  return (
    <Badge size="sm" color="slate" circle={of < 10}>
      {of}
    </Badge>
  );
}

function AmendedNotice({ document }: { document: Document }) {
  const { t } = useTranslation();
  if (!document.amended_to_id && !document.amended_from_id) return null;
  return (
    <Alert color={document.amended_to_id ? "ochre" : "slate"} icon={<IconVersions aria-hidden="true" />}>
      {document.amended_to_id ? (
        <>
          {t("documents.amended_to")}{" "}
          <TextLink to="/documents/$documentId" params={{ documentId: document.amended_to_id }}>
            {t("documents.open_newer")}
          </TextLink>
        </>
      ) : (
        <>
          {t("documents.amended_from")}{" "}
          <TextLink to="/documents/$documentId" params={{ documentId: document.amended_from_id ?? "" }}>
            {t("documents.open_older")}
          </TextLink>
        </>
      )}
    </Alert>
  );
}

/** What may be done to the content now: the process says, and the state where there is none. */
function windowOf(document: Document, contract: Contract, instance: Instance | undefined): EditWindow {
  if (document.deleted_at || document.amended_to_id) return "locked";
  const window = instance?.status === "running" ? instance.edit_window : undefined;
  if (window === "editable" || window === "amend_only" || window === "locked") return window;
  return contract.states.find(({ name }) => name === document.doc_status)?.window ?? "locked";
}

function Content({ document, contract, instance }: { document: Document; contract: Contract; instance: Instance | undefined }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const window = windowOf(document, contract, instance);
  const amendable = contract.transitions.some((each) => each.kind === "amend" && each.from.includes(document.doc_status));
  const writable = may("documents:write") && (window === "editable" || (window === "amend_only" && amendable));
  if (!writable) {
    const why = !may("documents:write") ? t("documents.read_only") : t("documents.window_locked_hint");
    return (
      <Stack>
        <Alert color="slate" icon={<IconLock aria-hidden="true" />} title={t("documents.window_locked")}>
          {why}
        </Alert>
        <Values schema={contract.schema} data={document.data as JsonObject} />
      </Stack>
    );
  }
  return <EditForm document={document} contract={contract} window={window} />;
}

function EditForm({ document, contract, window }: { document: Document; contract: Contract; window: EditWindow }) {
  const { t } = useTranslation();
  const { tenant, me } = useSignedIn();
  const navigate = route.useNavigate();
  const save = useSaveDocument();
  const initial = document.data as JsonObject;
  const amends = window === "amend_only";
  const [seen, setSeen] = useState<Seen | null>(null);
  const form = useSchemaForm({
    schema: contract.schema,
    initial,
    draftKey: `${tenant}.${me.name}.document.${document.id}`,
    under: "data",
    onSubmit: async (value) => {
      // What this was begun from: by the time the answer is here, the page may know more.
      setSeen({ id: document.id, version: document.entity_version, data: initial });
      const saved = await save.mutateAsync({ id: document.id, version: document.entity_version, data: value as JsonObject });
      if (saved.id !== document.id) {
        done(t("documents.amended"));
        await navigate({ to: "/documents/$documentId", params: { documentId: saved.id } });
      } else done(t("documents.saved", { version: saved.entity_version }));
    },
  });
  const problem = form.failure ? asProblem(form.failure) : null;
  return (
    <Stack>
      <Alert
        color={amends ? "ochre" : "slate"}
        icon={amends ? <IconVersions aria-hidden="true" /> : <IconPencil aria-hidden="true" />}
        title={t(amends ? "documents.window_amend" : "documents.window_editable")}
      >
        {t(amends ? "documents.window_amend_hint" : "documents.window_editable_hint")}
      </Alert>
      {problem?.status === 409 && seen && <Overtaken seen={seen} contract={contract} title={t("documents.not_saved")} detail={problem.detail} />}
      <SchemaForm form={form} schema={contract.schema} action={t(amends ? "documents.amend" : "common.save")} />
      <Text size="xs" c="dimmed">
        {t("documents.last_change")} <When at={document.updated_at} />
      </Text>
    </Stack>
  );
}
