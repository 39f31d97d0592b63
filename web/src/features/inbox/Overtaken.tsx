/** Somebody was faster: what they changed since this was looked at, field by field, and who. Nothing was decided or saved. */
import { Alert, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useDocument } from "../../api/documents";
import type { JsonObject } from "../../json/json";
import { same } from "../../json/json";
import { TextLink } from "../../ui/LinkButton";
import { sentenceCase } from "../../ui/sentenceCase";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import type { Contract } from "../documents/contract";
import { Changes } from "../documents/Values";

export interface Seen {
  id: string;
  version: number;
  data: JsonObject;
}

interface Props {
  seen: Seen;
  contract: Contract | undefined;
  title: string;
  /** The server's own words, for where the content is still the same: another decided, or the question was taken back. */
  detail: string | undefined;
}

export function Overtaken({ seen, contract, title, detail }: Props) {
  const { t } = useTranslation();
  const query = useDocument(seen.id);
  // An amendment leaves the document as it was, and stands beside it.
  const newer = useDocument(query.data?.amended_to_id);
  const now = newer.data ?? query.data;
  const changed = now !== undefined && !same(now.data, seen.data);
  return (
    <Alert role="alert" color="ochre" icon={<IconAlertTriangle aria-hidden="true" />} title={title}>
      {changed ? (
        <>
          <Text size="sm" mb="xs">
            {t("inbox.overtaken_by", { by: actorName(now.updated_by).name, before: seen.version })} · <When at={now.updated_at} />
          </Text>
          <Changes schema={contract?.schema ?? {}} before={seen.data} after={now.data as JsonObject} />
          <TextLink to="/documents/$documentId" params={{ documentId: now.id }} size="sm">
            {t("inbox.open_document")}
          </TextLink>
        </>
      ) : (
        detail && (
          <Text size="sm" lang="en">
            {sentenceCase(detail)}
          </Text>
        )
      )}
    </Alert>
  );
}
