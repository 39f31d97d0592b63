/** Everything that people were asked about a document, and what they said: who, when, why, on which version and hash. */
import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DocumentVersion, RequestDetail } from "../../api/types";
import { Notice } from "../../ui/Notice";
import { When } from "../../ui/When";
import { Progress } from "../inbox/Progress";
import type { Contract } from "./contract";
import { statusWord } from "./story";
import { useVoiding } from "./useVoiding";
import { placeName } from "./values";

interface Props {
  requests: readonly RequestDetail[];
  contract: Contract;
  versions: readonly DocumentVersion[];
}

export function Decisions({ requests, contract, versions }: Props) {
  const { t } = useTranslation();
  if (requests.length === 0) return <Notice>{t("documents.no_requests")}</Notice>;
  return (
    <Stack gap="md">
      {requests.map((detail) => (
        <One key={detail.request.id} detail={detail} contract={contract} versions={versions} />
      ))}
    </Stack>
  );
}

function One({ detail, contract, versions }: Omit<Props, "requests"> & { detail: RequestDetail }) {
  const { t, i18n } = useTranslation();
  const { request } = detail;
  const edit = useVoiding(versions, request);
  const fields = new Intl.ListFormat(i18n.language).format((request.changed_fields ?? []).map((name) => placeName(contract.schema, [name])));
  return (
    <Card component="section" aria-label={request.title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {request.title}
        </Title>
        <Badge color={request.status === "open" ? "ochre" : request.status === "voided" ? "rust" : "slate"}>{t(`people.status_${statusWord(request.status)}`)}</Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t("documents.version_n", { version: request.entity_version })} · <When at={request.created_at} as="exact" />
      </Text>
      {request.status === "voided" && (
        <Text size="sm" mb="xs">
          {edit ? t("inbox.voided_by", { by: edit.by, fields }) : t("inbox.voided_since", { fields })}
        </Text>
      )}
      <Progress detail={detail} exact />
    </Card>
  );
}
