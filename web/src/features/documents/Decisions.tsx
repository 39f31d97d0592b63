/** Everything that people were asked about a document, and what they said: who, when, why, on which version and hash. */
import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DocumentVersion, RequestDetail } from "../../api/types";
import { Notice } from "../../ui/Notice";
import { When } from "../../ui/When";
import { Progress } from "../inbox/Progress";
import type { Contract } from "./contract";
import { statusWord, voidingVersion } from "./story";
import { placeName } from "./values";

interface Props {
  requests: readonly RequestDetail[];
  contract: Contract;
  versions: readonly DocumentVersion[];
}

export function Decisions({ requests, contract, versions }: Props) {
  const { t, i18n } = useTranslation();
  if (requests.length === 0) return <Notice>{t("documents.no_requests")}</Notice>;
  const listed = (names: readonly string[]) => new Intl.ListFormat(i18n.language).format(names.map((name) => placeName(contract.schema, [name])));
  return (
    <Stack gap="md">
      {requests.map((detail) => {
        const { request } = detail;
        const by = request.status === "voided" ? voidingVersion(versions, request) : undefined;
        return (
          <Card key={request.id} component="section" aria-label={request.title}>
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h3">
                {request.title}
              </Title>
              <Badge color={request.status === "open" ? "ochre" : request.status === "voided" ? "rust" : "slate"}>
                {t(`people.status_${statusWord(request.status)}`)}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" mb="xs">
              {t("documents.version_n", { version: request.entity_version })} · <When at={request.created_at} as="exact" />
            </Text>
            {request.status === "voided" && (
              <Text size="sm" mb="xs">
                {t("inbox.voided_by", { by: by ? by.created_by.replace(/^user:/, "") : "—", fields: listed(request.changed_fields ?? []) })}
              </Text>
            )}
            <Progress detail={detail} exact />
          </Card>
        );
      })}
    </Stack>
  );
}
