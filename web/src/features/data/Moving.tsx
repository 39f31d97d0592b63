/** Export and import, with how far they are. An export that was cut is said to be broken, and gives no file. */
import { Alert, Button, FileButton, Group, NativeSelect, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dataKeys } from "../../api/data";
import { exactly } from "../../api/exactResponse";
import { problemFrom } from "../../api/problem";
import { isObject, parse } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { session } from "../../session/store";
import { credentials } from "../../session/token";
import { ActionButton } from "../../ui/ActionButton";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { saveFile } from "./saveFile";
import { BrokenExport, intoNamespace, readExport } from "./transfer";

const own = () => credentials(session.get().token ?? "");

export function Export({ namespace, count }: { namespace: string | undefined; count: number }) {
  const { t } = useTranslation();
  const { tenant } = useSignedIn();
  const [lines, setLines] = useState<number | null>(null);
  const [ended, setEnded] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setError(null);
    setEnded(null);
    setLines(0);
    try {
      const query = namespace === undefined ? "" : `?namespace=${encodeURIComponent(namespace)}`;
      const answer = await fetch(`/v1/${tenant}/data/export${query}`, { headers: own(), cache: "no-store" });
      if (!answer.ok || !answer.body) throw problemFrom(answer.status, await exactly(answer).json().catch(() => undefined));
      const whole = await readExport(answer.body, setLines);
      saveFile(whole.parts, `${namespace ?? tenant}.jsonl`, "application/jsonl");
      setEnded(whole.lines);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setLines(null);
    }
  };
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <ActionButton needs="data:read" variant="default" loading={lines !== null} onClick={() => void start()}>
          {t(namespace === undefined ? "data.export_all" : "data.export")}
        </ActionButton>
        <Text size="sm" c="dimmed" role="status">
          {lines !== null && t("data.exporting", { count: lines })}
          {ended !== null && t("data.exported", { count: ended })}
        </Text>
      </Group>
      {lines !== null && <Progress value={count === 0 ? 100 : Math.min(100, (100 * lines) / count)} aria-label={t("data.export")} />}
      {error instanceof BrokenExport ? (
        <Alert role="alert" color="rust" title={t("data.export_broken")}>
          {t("data.export_broken_hint", { count: error.lines })}
        </Alert>
      ) : (
        error !== null && <ProblemAlert error={error} />
      )}
    </Stack>
  );
}

interface Imported {
  keys: number;
  links: number;
  skipped: number;
}

export function Import() {
  const { t } = useTranslation();
  const { tenant, may } = useSignedIn();
  const cache = useQueryClient();
  const [into, setInto] = useState("");
  const [conflict, setConflict] = useState("fail");
  const [file, setFile] = useState<File | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const [error, setError] = useState<unknown>(null);
  const start = async (chosen: File) => {
    setError(null);
    setImported(null);
    setPart(0);
    try {
      const text = await chosen.text();
      const body = into.trim() === "" ? text : await intoNamespace(text, into.trim());
      setImported(await send(`/v1/${tenant}/data/import?on_conflict=${conflict}`, body, setPart));
      setFile(null);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPart(null);
      void cache.invalidateQueries({ queryKey: dataKeys.all });
    }
  };
  if (!may("data:operate")) return <Text c="dimmed">{t("common.needs_permission", { permission: "data:operate" })}</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("data.import_hint")}
      </Text>
      <Group align="flex-end" gap="sm">
        <FileButton onChange={setFile} accept=".jsonl,application/jsonl" inputProps={{ "aria-label": t("data.file") }}>
          {(props) => (
            <Button variant="default" {...props}>
              {file?.name ?? t("data.choose_file")}
            </Button>
          )}
        </FileButton>
        <TextInput label={t("data.into")} placeholder={t("data.into_same")} value={into} maxLength={256} onChange={(event) => setInto(event.currentTarget.value)} />
        <NativeSelect
          label={t("data.on_conflict")}
          value={conflict}
          data={(["fail", "keep", "replace"] as const).map((each) => ({ value: each, label: t(`data.on_conflict_${each}`) }))}
          onChange={(event) => setConflict(event.currentTarget.value)}
        />
        <ActionButton needs="data:operate" loading={part !== null} refusal={file ? undefined : t("data.no_file")} onClick={() => file && void start(file)}>
          {t("data.import")}
        </ActionButton>
      </Group>
      {part !== null && <Progress value={100 * part} aria-label={t("data.import")} animated={part >= 1} />}
      <Text size="sm" role="status">
        {part !== null && t(part < 1 ? "data.sending" : "data.writing")}
        {imported && t("data.imported", { ...imported })}
      </Text>
      {error !== null && <ProblemAlert error={error} />}
    </Stack>
  );
}

/** Not by `fetch`: it does not tell how much of a body is sent. */
function send(address: string, body: string, tell: (part: number) => void): Promise<Imported> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries({ ...own(), "Content-Type": "application/jsonl" })) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => tell(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new TypeError("no answer"));
    request.onload = () => {
      const answer = read(request.responseText);
      if (request.status === 200 && isObject(answer)) resolve(answer as unknown as Imported);
      else reject(problemFrom(request.status, answer));
    };
    request.send(body);
  });
}

function read(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
