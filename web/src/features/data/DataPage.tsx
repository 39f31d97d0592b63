/** What workflows remember: namespaces as a tree, their keys, and one key beside them. */
import { Card, Drawer, Group, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNamespaces } from "../../api/data";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import classes from "./DataPage.module.css";
import { EditValue } from "./EditValue";
import { type DataPlace, dataPlace, without } from "./filter";
import { KeyDrawer } from "./KeyDrawer";
import { KeyList } from "./KeyList";
import { branches } from "./model";
import { Export, Import } from "./Moving";
import { Namespaces } from "./Namespaces";
import { Rules } from "./Rules";
import { Watch } from "./Watch";

const route = getRouteApi("/data");

type Side = "new" | "rules" | "import";

export function DataPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const go = (next: DataPlace) => void navigate({ search: next, resetScroll: false });
  const [side, setSide] = useState<Side | null>(null);
  const query = useNamespaces();
  const { namespace } = place;
  const all = query.data?.reduce((sum, each) => sum + each.key_count, 0) ?? 0;
  return (
    <Page
      title={t("data.title")}
      intro={t("data.intro")}
      needs="data:read"
      actions={
        <Group gap="sm">
          <LinkButton to="/data/links" variant="default">
            {t("data.links")}
          </LinkButton>
          <ActionButton variant="default" needs="data:operate" onClick={() => setSide("import")}>
            {t("data.import")}
          </ActionButton>
          <ActionButton needs="data:write" onClick={() => setSide("new")}>
            {t("data.create")}
          </ActionButton>
        </Group>
      }
    >
      {may("data:read") && (
        <div className={classes.panes}>
          <Card component="nav" aria-labelledby="namespaces-title" padding="sm">
            <Title order={2} size="h4" mb="xs" id="namespaces-title">
              {t("data.namespaces")}
            </Title>
            <Loaded query={query} lines={4} height={24}>
              {(found) => (found.length === 0 ? t("data.empty") : <Namespaces branches={branches(found)} chosen={namespace} />)}
            </Loaded>
          </Card>
          {namespace === undefined ? (
            <Card>
              <Notice title={t("data.choose")} action={<Export namespace={undefined} count={all} />}>
                {t("data.choose_hint")}
              </Notice>
            </Card>
          ) : (
            <Stack gap="md" miw={0}>
              <Card padding={0}>
                <Group p="md" gap="sm" justify="space-between">
                  <Title order={2} size="h3">
                    {namespace}
                  </Title>
                  <Group gap="sm">
                    <Switch
                      label={t("data.watch")}
                      checked={place.watch === true}
                      onChange={(event) => {
                        go(event.currentTarget.checked ? { ...place, watch: true } : without(place, "watch"));
                      }}
                    />
                    <ActionButton variant="default" onClick={() => setSide("rules")}>
                      {t("data.rules")}
                    </ActionButton>
                  </Group>
                </Group>
                <Stack px="md" pb="md" gap="sm">
                  <Prefix key={namespace} place={place} onPlace={go} />
                  <Export key={namespace} namespace={namespace} count={query.data?.find((each) => each.namespace === namespace)?.key_count ?? 0} />
                </Stack>
                <KeyList place={place} namespace={namespace} />
              </Card>
              {place.watch && <Watch key={namespace} namespace={namespace} />}
              <KeyDrawer place={place} namespace={namespace} onPlace={go} />
            </Stack>
          )}
          <Drawer
            opened={side !== null}
            onClose={() => setSide(null)}
            title={side === null ? "" : t(side === "new" ? "data.create" : `data.${side}`)}
            size="lg"
            closeButtonProps={{ "aria-label": t("common.close") }}
          >
            {side === "new" && (
              <NewKey
                namespace={namespace ?? ""}
                onDone={(made) => {
                  setSide(null);
                  go(made);
                }}
              />
            )}
            {side === "rules" && namespace !== undefined && <Rules namespace={namespace} />}
            {side === "import" && <Import />}
          </Drawer>
        </div>
      )}
    </Page>
  );
}

function NewKey({ namespace, onDone }: { namespace: string; onDone: (place: DataPlace) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(namespace);
  return (
    <Stack gap="sm">
      <TextInput label={t("data.namespace")} description={t("data.namespace_hint")} value={name} maxLength={256} autoComplete="off" onChange={(event) => setName(event.currentTarget.value)} />
      <EditValue namespace={name} onDone={(key) => onDone({ namespace: name, key })} />
    </Stack>
  );
}

function Prefix({ place, onPlace }: { place: DataPlace; onPlace: (place: DataPlace) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(place.prefix ?? "");
  const [shown, setShown] = useState(place.prefix);
  // The address can change without this field: back and forward.
  if (shown !== place.prefix) {
    setShown(place.prefix);
    if ((place.prefix ?? "") !== text) setText(place.prefix ?? "");
  }
  const narrow = useDebouncedCallback((prefix: string) => onPlace(dataPlace({ ...place, prefix })), 250);
  return (
    <TextInput
      aria-label={t("data.prefix")}
      placeholder={t("data.prefix_placeholder")}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      spellCheck={false}
      onChange={(event) => {
        setText(event.currentTarget.value);
        narrow(event.currentTarget.value);
      }}
    />
  );
}
