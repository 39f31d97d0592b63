/**
 * Changes a value, or makes a key, under the revision that was read. When somebody else was faster, both values are shown, nothing
 * is decided, and what was typed stays; it also survives a reload.
 */
import { Alert, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Entry, readEntry, useSetEntry } from "../../api/data";
import { asProblem } from "../../api/problem";
import { dropDraft, keepDraft, readDraft } from "../../forms/drafts";
import { isObject, stringify } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import classes from "./DataPage.module.css";
import { LongText } from "./ValueView";
import { valueOf } from "./model";

interface Props {
  namespace: string;
  /** The key to change; without one, another is made. */
  entry?: Entry;
  onDone: (key: string) => void;
}

type Ending = "keep" | "never" | "after";

export function EditValue({ namespace, entry, onDone }: Props) {
  const { t } = useTranslation();
  const { tenant } = useSignedIn();
  const draftKey = `data/${tenant}/${namespace}/${entry ? `key/${entry.key}` : "new"}`;
  const [start] = useState(() => draftOf(draftKey) ?? { text: entry ? stringify(entry.value, 2) : "", seen: entry?.revision ?? 0 });
  const [key, setKey] = useState(entry?.key ?? "");
  const [text, setText] = useState(start.text);
  const [seen, setSeen] = useState(start.seen);
  const [ending, setEnding] = useState<Ending>(entry?.expires_at ? "keep" : "never");
  const [seconds, setSeconds] = useState("3600");
  /** What is there instead of what was seen; null: nothing any more. */
  const [theirs, setTheirs] = useState<Entry | null | undefined>(undefined);
  const set = useSetEntry();
  const value = valueOf(text);

  const write = (next: string) => {
    setText(next);
    keepDraft(draftKey, { value: next, typed: {} }, { revision: seen }, new Date());
  };
  const ttl = () => {
    if (ending === "never") return null;
    if (ending === "after") return Number(seconds);
    return entry?.expires_at ? Math.max(1, (Date.parse(entry.expires_at) - Date.now()) / 1000) : null;
  };
  const save = (under: number) => {
    if (value === undefined || key === "") return;
    set.mutate(
      { namespace, key, value, ttl: ttl(), seen: under },
      {
        onSuccess: () => {
          dropDraft(draftKey);
          done(t("data.saved", { key }));
          onDone(key);
        },
        onError: (error) => {
          if (asProblem(error).status === 409) void look();
        },
      },
    );
  };
  const look = async () => {
    try {
      setTheirs(await readEntry(tenant, namespace, key));
    } catch (error) {
      if (asProblem(error).status === 404) setTheirs(null);
    }
  };
  const overwrite = () => {
    const now = theirs?.revision ?? 0;
    setSeen(now);
    setTheirs(undefined);
    save(now);
  };
  const takeTheirs = () => {
    dropDraft(draftKey);
    onDone(key);
  };
  const conflict = set.isError && asProblem(set.error).status === 409;
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        save(seen);
      }}
    >
      {!entry && <TextInput label={t("data.key")} value={key} maxLength={512} required autoComplete="off" spellCheck={false} onChange={(event) => setKey(event.currentTarget.value)} />}
      <Textarea
        label={t("data.value_json")}
        description={t("data.value_hint")}
        rows={entry ? 14 : 6}
        value={text}
        spellCheck={false}
        error={text !== "" && value === undefined ? t("data.not_json") : undefined}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8125rem" } }}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t("data.expiry")}
          value={ending}
          data={[
            ...(entry?.expires_at ? [{ value: "keep", label: t("data.expiry_keep") }] : []),
            { value: "never", label: t("data.expiry_never") },
            { value: "after", label: t("data.expiry_after") },
          ]}
          onChange={(event) => setEnding(event.currentTarget.value as Ending)}
        />
        {ending === "after" && <TextInput label={t("data.seconds")} inputMode="decimal" w="8rem" value={seconds} onChange={(event) => setSeconds(event.currentTarget.value)} />}
      </Group>
      {conflict && theirs !== undefined && (
        <Alert role="alert" color="ochre" title={t(theirs ? (seen === 0 ? "data.taken" : "data.changed") : "data.gone")}>
          <Stack gap="sm">
            <div className={classes.sides}>
              <div>
                <Text size="sm" fw={500}>
                  {theirs ? t("data.theirs", { revision: theirs.revision }) : t("data.theirs_gone")}
                </Text>
                {theirs && <LongText text={stringify(theirs.value, 2)} label={t("data.theirs_label")} />}
              </div>
              <div>
                <Text size="sm" fw={500}>
                  {t("data.yours")}
                </Text>
                <LongText text={text} label={t("data.yours_label")} />
              </div>
            </div>
            <Text size="sm">{t("data.conflict_hint")}</Text>
            <Group gap="xs">
              <ActionButton size="xs" needs="data:write" onClick={overwrite}>
                {t(theirs ? "data.overwrite" : "data.create_again")}
              </ActionButton>
              <ActionButton size="xs" variant="default" onClick={takeTheirs}>
                {t("data.take_theirs")}
              </ActionButton>
            </Group>
          </Stack>
        </Alert>
      )}
      {set.isError && !conflict && <ProblemAlert error={set.error} />}
      {set.data?.warning && <Alert color="ochre">{set.data.warning}</Alert>}
      <Group justify="flex-end">
        <ActionButton
          needs="data:write"
          type="submit"
          loading={set.isPending}
          refusal={value === undefined || key === "" ? t("data.not_ready") : undefined}
        >
          {t("common.save")}
        </ActionButton>
      </Group>
    </Stack>
  );
}

function draftOf(key: string): { text: string; seen: number } | null {
  const draft = readDraft(key);
  const seen = isObject(draft?.from) ? draft.from.revision : undefined;
  return draft && typeof draft.state.value === "string" && typeof seen === "number" ? { text: draft.state.value, seen } : null;
}
