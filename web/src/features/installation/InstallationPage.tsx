/** The whole installation for its operator: tenants and how they are doing, workers, definitions of sessions. No content of any tenant. */
import { Badge, Button, Card, Code, Container, Group, PasswordInput, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { asProblem, fieldErrors } from "../../api/problem";
import { LanguageChoice } from "../../ui/LanguageChoice";
import { Loaded } from "../../ui/Loaded";
import { Mark } from "../../ui/Mark";
import { Notices } from "../../ui/Notices";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { troubles, useAddTenant, useInstallation } from "./installation";

export function InstallationPage() {
  const { t } = useTranslation();
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${t("installation.title")} · holdfast`;
  }, [t]);
  return (
    <Container component="main" size="lg" py="xl">
      <Notices />
      <Stack gap="lg">
        <Group justify="space-between" align="flex-end">
          <Group wrap="nowrap" align="flex-start">
            <Mark size={44} />
            <div style={{ maxWidth: "44rem" }}>
              <Title order={1}>{t("installation.title")}</Title>
              <Text c="dimmed" mt={4}>
                {t("installation.intro")}{" "}
                <a href="/docs/operating" target="_blank" rel="noopener" aria-label={t("app.help_about")} className="help">
                  {t("app.help")}
                </a>
              </Text>
            </div>
          </Group>
          {token !== null && (
            <Button variant="default" onClick={() => setToken(null)}>
              {t("installation.leave")}
            </Button>
          )}
        </Group>
        {token === null ? <Ask onToken={setToken} /> : <Told key={token} token={token} />}
        <div style={{ maxWidth: "16rem" }}>
          <LanguageChoice />
        </div>
      </Stack>
    </Container>
  );
}

function Ask({ onToken }: { onToken: (token: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed.trim() !== "") onToken(typed.trim());
  };
  return (
    <Card component="form" onSubmit={submit} maw="34rem">
      <Stack>
        <PasswordInput
          label={t("installation.token")}
          description={<Trans i18nKey="installation.token_hint" components={{ code: <Code /> }} />}
          placeholder="holdfast_…"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          visible={shown}
          onVisibilityChange={setShown}
          visibilityToggleButtonProps={{ "aria-label": t(shown ? "sign_in.hide" : "sign_in.show"), tabIndex: 0 }}
          autoComplete="off"
          spellCheck={false}
        />
        <Group>
          <Button type="submit">{t("installation.open")}</Button>
        </Group>
      </Stack>
    </Card>
  );
}

function Told({ token }: { token: string }) {
  const { t } = useTranslation();
  const query = useInstallation(token);
  return (
    <Loaded query={query} lines={4} height={120}>
      {({ tenants, workers, definitions }) => (
        <Stack gap="lg">
          <Part title={t("installation.tenants")}>
            <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
              <Heads of={[t("installation.tenant"), t("installation.state"), t("installation.added_at")]} />
              <Table.Tbody>
                {tenants.map(({ slug, name, created_at, queues }) => (
                  <Table.Tr key={slug}>
                    <Table.Td className={rows.main}>
                      {name}
                      <Text size="xs" c="dimmed">
                        <code>{slug}</code>
                      </Text>
                    </Table.Td>
                    <Table.Td data-label={t("installation.state")}>
                      <Group gap={6}>
                        {queues === undefined ? "–" : troubles(queues).length === 0 ? <Badge color="kelp">{t("installation.well")}</Badge> : null}
                        {troubles(queues ?? []).map(({ queue, what, count }) => (
                          <Badge key={`${queue} ${what}`} color="rust">
                            {t(`installation.${what}`, { queue: t(`installation.queue_${queue}`), count })}
                          </Badge>
                        ))}
                      </Group>
                    </Table.Td>
                    <Table.Td data-label={t("installation.added_at")} className={rows.narrow}>
                      <When at={created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <AddTenant token={token} />
          </Part>
          <Part title={t("installation.workers")}>
            {workers.length === 0 && (
              <Text c="dimmed" px="md" pb="md">
                <Trans i18nKey="installation.no_workers" components={{ code: <Code /> }} />
              </Text>
            )}
            {workers.length > 0 && (
              <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
                <Heads of={[t("installation.worker"), t("installation.beat"), t("installation.executes")]} />
                <Table.Tbody>
                  {workers.map(({ name, alive, seen_at, types, prefixes }) => (
                    <Table.Tr key={name}>
                      <Table.Td className={rows.main}>
                        <code>{name}</code>
                      </Table.Td>
                      <Table.Td data-label={t("installation.beat")} className={rows.narrow}>
                        <Badge color={alive ? "kelp" : "rust"}>{t(alive ? "installation.alive" : "installation.silent")}</Badge> <When at={seen_at} />
                      </Table.Td>
                      <Table.Td data-label={t("installation.executes")} style={{ overflowWrap: "anywhere" }}>
                        {[...types, ...prefixes.map((prefix) => `${prefix}*`)].join(", ") || "–"}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
          </Part>
          <Part title={t("installation.definitions")}>
            {definitions.length === 0 && (
              <Text c="dimmed" px="md" pb="md">
                {t("installation.no_definitions")}
              </Text>
            )}
            {definitions.length > 0 && (
              <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
                <Heads of={[t("installation.definition"), t("installation.version"), t("installation.phase"), t("installation.active")]} />
                <Table.Tbody>
                  {definitions.map(({ name, display_name, version, revision, phase, phase_reason, active_sessions }) => (
                    <Table.Tr key={name}>
                      <Table.Td className={rows.main}>
                        {display_name || name}
                        <Text size="xs" c="dimmed">
                          <code>{name}</code>
                        </Text>
                      </Table.Td>
                      <Table.Td data-label={t("installation.version")}>
                        {version ?? "–"}
                        <Text size="xs" c="dimmed">
                          {t("installation.revision", { revision })}
                        </Text>
                      </Table.Td>
                      <Table.Td data-label={t("installation.phase")}>
                        <Badge color={phase === "Active" ? "kelp" : phase === "Error" ? "rust" : "ochre"}>{t(`installation.phase_${phase}`)}</Badge>
                        {phase_reason && (
                          <Text size="xs" c="dimmed" lang="en">
                            {phase_reason}
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td data-label={t("installation.active")}>{active_sessions}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
          </Part>
        </Stack>
      )}
    </Loaded>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card component="section" aria-label={title} padding={0}>
      <Title order={2} size="h3" p="md">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function Heads({ of }: { of: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {of.map((head) => (
          <Table.Th key={head}>{head}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

const FIELDS = ["slug", "name"] as const;

function AddTenant({ token }: { token: string }) {
  const { t } = useTranslation();
  const add = useAddTenant(token);
  const [slug, setSlug] = useState("");
  const [name, setName] = useState("");
  const faults = add.isError ? fieldErrors(asProblem(add.error), FIELDS) : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate(
      { slug: slug.trim(), name: name.trim() || null },
      {
        onSuccess: () => {
          setSlug("");
          setName("");
          done(t("installation.added"));
        },
      },
    );
  };
  return (
    <Stack component="form" onSubmit={submit} p="md" gap="sm">
      <Text fw={500}>{t("installation.add")}</Text>
      <Text size="sm" c="dimmed">
        <Trans i18nKey="installation.add_hint" components={{ code: <Code /> }} />
      </Text>
      {add.isError && Object.keys(faults).length === 0 && <ProblemAlert error={add.error} />}
      <Group align="flex-start">
        <TextInput label={t("installation.slug")} required value={slug} error={faults.slug} spellCheck={false} autoComplete="off" onChange={(event) => setSlug(event.currentTarget.value)} />
        <TextInput label={t("installation.name")} value={name} error={faults.name} autoComplete="off" onChange={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" variant="default" mt="1.6rem" loading={add.isPending} disabled={slug.trim() === ""}>
          {t("installation.add")}
        </Button>
      </Group>
    </Stack>
  );
}
