/** The graph that a session goes through, with the node at which it is. */
import { Card, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type SessionInfo, type SessionMessage, useSessionGraph, useStanding } from "../../api/sessions";
import { LazyCanvas } from "../../canvas/LazyCanvas";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { graphOf, standing } from "./drawing";

interface Props {
  session: SessionInfo;
  messages: readonly SessionMessage[];
}

export function SessionGraph({ session, messages }: Props) {
  const { t, i18n } = useTranslation();
  const query = useSessionGraph(session.session_name);
  const state = useStanding(session.session_name, !session.completed_at);
  const words = useMemo(() => ({ start: t("canvas.type_start"), end: t("canvas.type_end") }), [i18n.language]); // eslint-disable-line react-hooks/exhaustive-deps -- said anew in another language only
  const graph = useMemo(() => (query.data ? graphOf(query.data, words) : null), [query.data, words]);
  const ran = messages.flatMap(({ message_type, content }) => (message_type === "workflow_progress" && typeof content.step === "string" ? [content.step] : []));
  const ended = session.status === "completed" || session.status === "failed" ? session.status : null;
  const next = state.data?.next ?? [];
  const overlay = standing(next, graph ? ran.filter((step) => graph.nodes.some(({ id }) => id === step)) : [], ended);
  return (
    <Card component="section" aria-label={t("sessions.graph")}>
      <Loaded query={query} lines={4}>
        {() =>
          graph ? (
            <>
              <Text size="sm" mb="sm" role="status">
                {ended ? t(`sessions.graph_${ended}`) : next.length > 0 ? t("sessions.stands_at", { nodes: new Intl.ListFormat(i18n.language).format(next) }) : t("sessions.stands_nowhere")}
              </Text>
              <LazyCanvas graph={graph} label={t("sessions.graph")} overlay={overlay} height={360} />
            </>
          ) : (
            <Notice title={t("sessions.no_graph")}>{t("sessions.no_graph_hint")}</Notice>
          )
        }
      </Loaded>
    </Card>
  );
}
