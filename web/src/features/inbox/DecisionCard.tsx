/** Everything somebody needs to decide, and the deciding: the document as it was when they were asked, and why they are. */
import { Alert, Badge, Card, Group, Skeleton, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode, type Ref, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useContracts, useVersions } from "../../api/documents";
import { usePinned, useRequest, useRequestDetails } from "../../api/people";
import { asProblem } from "../../api/problem";
import { useStory } from "../../api/processes";
import type { DocumentVersion, InboxItem, RequestDetail } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { later } from "../../ui/later";
import { TextLink } from "../../ui/LinkButton";
import { Notice } from "../../ui/Notice";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { type Contract, contractOf } from "../documents/contract";
import { statusWord, storyOf } from "../documents/story";
import { useVoiding } from "../documents/useVoiding";
import { Changes, useValueWords, Values } from "../documents/Values";
import { headlineOf, placeName } from "../documents/values";
import classes from "./DecisionCard.module.css";
import { Deciding, type DecidingHandle } from "./Deciding";
import { lastDecided } from "./progress";
import { Progress } from "./Progress";
import { Why } from "./Why";

const Overtaken = later(() => import("./Overtaken").then((module) => module.Overtaken));
const Story = later(() => import("../documents/Story").then((module) => module.Story));
const TaskForm = later(() => import("./TaskForm").then((module) => module.TaskForm));

interface Props {
  item: InboxItem;
  every: number | false;
  /** Called when it was decided, with what is to be said of it. */
  onDecided: (item: InboxItem, words: string) => void;
  deciding?: Ref<DecidingHandle>;
}

export function DecisionCard({ item, every, onDecided, deciding }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const words = useValueWords();
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const detail = useRequest(item.id, every);
  const pinned = usePinned(item.id, item.document_id !== null);
  const contracts = useContracts();
  const versions = useVersions(item.document_id);
  const all = useRequestDetails({ document_id: item.document_id }, every);
  const told = useStory(item.instance_id, false);
  // Kept here: what was asked is closed by then, and with it the buttons.
  const [overtaken, setOvertaken] = useState<{ words: string | undefined } | null>(null);
  const info = contracts.data?.find((each) => each.entity_type === item.entity_type);
  const contract = useMemo(() => info && contractOf(info), [info]);
  const data = pinned.data?.data as JsonObject | undefined;
  const head = data && contract ? headlineOf(contract.schema, data, words) : undefined;
  const entries = useMemo(
    () => storyOf({ versions: versions.data ?? [], requests: all.data ?? [], steps: told.data?.steps ?? [] }).reverse(),
    [versions.data, all.data, told.data],
  );
  if (detail.isError) {
    return asProblem(detail.error).code === "not_found" ? <Notice>{t("inbox.missing")}</Notice> : <ProblemAlert error={detail.error} onRetry={() => void detail.refetch()} />;
  }
  const request = detail.data?.request;
  // In what somebody has done there is nothing more for them to do, even where others are still asked.
  const open = request?.status === "open" && !item.decision;
  const mine = lastDecided(all.data ?? [], me.name);
  const before = versions.data?.find(({ version }) => version === (mine ?? item.entity_version - 1));
  const others = (all.data ?? []).filter((each) => each.request.id !== item.id && each.request.status === "open");
  // Of what nobody has decided and nobody is asked any more there is none.
  const progressed = !detail.data || open || detail.data.decisions.length > 0 || others.length > 0;
  const bar =
    detail.data && open && request.kind === "approval" ? (
      <div className={classes.bar}>
        <Deciding
          ref={deciding}
          item={item}
          detail={detail.data}
          onOvertaken={(words) => setOvertaken({ words })}
          onDecided={onDecided}
        />
      </div>
    ) : null;
  return (
    <Card component="section" aria-labelledby="card-title" style={{ overflow: "visible" }}>
      <div className={classes.card}>
        <div className={classes.head}>
          <div style={{ minWidth: 0 }}>
            <Title order={2} id="card-title">
              {item.title}
              <Text span c="dimmed" size="md" ff="text">
                {" "}
                · {t("documents.version_n", { version: item.entity_version })}
              </Text>
            </Title>
            <Text c="dimmed">
              {[head?.amount, head?.about, item.requester && t("inbox.from", { requester: actorName(item.requester).name })].filter(Boolean).join(" · ")}
              {item.due_at && (
                <>
                  {" · "}
                  {t("inbox.due")} <When at={item.due_at} />
                </>
              )}
            </Text>
            {(item.overdue || request?.claimed_by) && (
              <Group gap={6} mt={6}>
                {item.overdue && <Badge color="rust">{t("inbox.overdue")}</Badge>}
                {request?.claimed_by && <Badge color="slate">{t("inbox.claimed", { by: actorName(request.claimed_by).name })}</Badge>}
              </Group>
            )}
          </div>
          {!narrow && bar}
        </div>
        {overtaken && data && item.document_id && (
          <Suspense fallback={<Skeleton height={90} />}>
            <Overtaken
              seen={{ id: item.document_id, version: item.entity_version, data }}
              contract={contract}
              title={t("inbox.nothing_decided")}
              detail={overtaken.words}
            />
          </Suspense>
        )}
        {detail.data && request?.status !== "open" && !overtaken && <Closed detail={detail.data} contract={contract} versions={versions.data ?? []} seen={data} />}
        {request?.instructions &&
          (request.chain !== null ? (
            <Text size="sm" c="dimmed">
              {t("inbox.stage", { at: request.stage, of: request.stage_count ?? request.stage, name: request.instructions })}
            </Text>
          ) : (
            <Text>{request.instructions}</Text>
          ))}
        {open && request.kind === "task" && (
          <Suspense fallback={<Skeleton height={160} />}>
            <TaskForm item={item} request={request} onDecided={onDecided} />
          </Suspense>
        )}
        <Row title={t("inbox.why")}>
          <Why item={item} detail={detail.data} contract={contract} data={data} />
        </Row>
        {before && data && before.version !== item.entity_version && (
          <Row title={t("inbox.changed")}>
            <Changes schema={contract?.schema ?? {}} before={before.data as JsonObject} after={data} />
            <Text size="sm" c="dimmed" mt={4}>
              {t(mine === undefined ? "inbox.since_before" : "inbox.since_you", { version: before.version })}
            </Text>
          </Row>
        )}
        {progressed && (
          <Row title={t("inbox.progress")}>
            {detail.data ? <Progress detail={detail.data} /> : <Skeleton height={20} />}
            {others.map((each) => (
              <Text key={each.request.id} size="sm" c="dimmed" mt={6}>
                {t("inbox.also_open", { title: each.request.title })}
              </Text>
            ))}
          </Row>
        )}
        {item.document_id && (
          <Row title={t("inbox.document")}>
            {data && contract ? <Values schema={contract.schema} data={data} /> : <Skeleton height={120} />}
            <Group gap="md" mt="md">
              <TextLink to="/documents/$documentId" params={{ documentId: item.document_id }} size="sm">
                {t("inbox.open_document")}
              </TextLink>
              <TextLink to="/processes/$instanceId" params={{ instanceId: item.instance_id }} size="sm">
                {t("documents.see_process")}
              </TextLink>
            </Group>
          </Row>
        )}
        <Row title={t("inbox.history")}>
          <Suspense fallback={<Skeleton height={60} />}>{entries.length > 0 ? <Story entries={entries} contract={contract} /> : <Skeleton height={60} />}</Suspense>
        </Row>
        {narrow && bar}
      </div>
    </Card>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.row} aria-label={title}>
      <h3>{title}</h3>
      <div style={{ minWidth: 0 }}>{children}</div>
    </section>
  );
}

interface ClosedProps {
  detail: RequestDetail;
  contract: Contract | undefined;
  versions: readonly DocumentVersion[];
  /** What was asked about. */
  seen: JsonObject | undefined;
}

/** It is over: by whom it was decided, or which edit made it void, field by field. */
function Closed({ detail: { request }, contract, versions, seen }: ClosedProps) {
  const { t, i18n } = useTranslation();
  const edit = useVoiding(versions, request);
  const fields = new Intl.ListFormat(i18n.language).format((request.changed_fields ?? []).map((name) => placeName(contract?.schema ?? {}, [name])));
  return (
    <Alert color={request.status === "voided" ? "ochre" : "slate"} role="status" icon={<IconInfoCircle aria-hidden="true" />} title={t("inbox.over", { status: t(`people.status_${statusWord(request.status)}`) })}>
      {request.status !== "voided" ? (
        request.reason
      ) : (
        <>
          <Text size="sm">{edit ? t("inbox.voided_by", { by: edit.by, fields }) : t("inbox.voided_since", { fields })}</Text>
          {edit && seen && <Changes schema={contract?.schema ?? {}} before={seen} after={edit.data} />}
          {edit?.document && (
            <TextLink to="/documents/$documentId" params={{ documentId: edit.document }} size="sm">
              {t("documents.open_newer")}
            </TextLink>
          )}
        </>
      )}
    </Alert>
  );
}
