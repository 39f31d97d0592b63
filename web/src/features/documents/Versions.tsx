/** Every version whole, and any two compared, nested fields too. */
import { Badge, Card, Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DocumentVersion } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { CopyButton } from "../../ui/CopyButton";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import type { Contract } from "./contract";
import classes from "./DocumentPage.module.css";
import type { DocumentView } from "./filter";
import { Changes, Values } from "./Values";

interface Props {
  versions: readonly DocumentVersion[];
  contract: Contract;
  view: DocumentView;
  onView: (view: Pick<DocumentView, "version" | "against">) => void;
}

export function Versions({ versions, contract, view, onView }: Props) {
  const { t } = useTranslation();
  const newest = versions[0];
  const shown = versions.find(({ version }) => version === view.version) ?? newest;
  if (!shown) return null;
  const before = versions.find(({ version }) => version === (view.against ?? shown.version - 1));
  const options = versions.map(({ version }) => ({ value: String(version), label: t("documents.version_n", { version }) }));
  return (
    <div className={classes.columns}>
      <Card component="section" aria-labelledby="version-title">
        <Group justify="space-between" mb="md" align="flex-end">
          <Title order={2} size="h3" id="version-title">
            {t("documents.version_n", { version: shown.version })}
            {shown.version === newest?.version && (
              <Badge ml="sm" style={{ verticalAlign: "middle" }}>
                {t("documents.newest")}
              </Badge>
            )}
          </Title>
          <NativeSelect
            aria-label={t("documents.show_version")}
            value={String(shown.version)}
            data={options}
            onChange={(event) => onView({ version: Number(event.currentTarget.value) })}
          />
        </Group>
        <Values schema={contract.schema} data={shown.data as JsonObject} />
        <Group gap={4} mt="md" wrap="nowrap">
          <Text size="xs" c="dimmed">
            {t("documents.saved_by", { by: actorName(shown.created_by).name })} <When at={shown.created_at} /> · <code className={classes.hash}>{shown.content_hash}</code>
          </Text>
          <CopyButton text={shown.content_hash} label={t("documents.copy_hash")} />
        </Group>
      </Card>
      <Card component="section" aria-labelledby="compare-title">
        <Stack gap="sm">
          <Title order={2} size="h3" id="compare-title">
            {t("documents.compare")}
          </Title>
          <NativeSelect
            label={t("documents.compared_with")}
            value={before ? String(before.version) : ""}
            data={[...(before ? [] : [{ value: "", label: "—" }]), ...options.filter(({ value }) => value !== String(shown.version))]}
            onChange={(event) => onView({ version: shown.version, against: Number(event.currentTarget.value) })}
            disabled={versions.length < 2}
          />
          {before ? (
            <Changes schema={contract.schema} before={before.data as JsonObject} after={shown.data as JsonObject} />
          ) : (
            <Text c="dimmed" size="sm">
              {t("documents.first_version")}
            </Text>
          )}
        </Stack>
      </Card>
    </div>
  );
}
