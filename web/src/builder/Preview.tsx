/** What a message or a webhook would say about a past document: written before anything is sent. */
import { NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Place, useTry } from "../api/definitions";
import { type Json, stringify } from "../json/json";
import { Json as JsonText } from "../ui/Json";
import { sentenceCase } from "../ui/sentenceCase";
import classes from "./Builder.module.css";
import type { PatchNode } from "./model/patch";
import { useSamples } from "./useSamples";

/** The kinds of steps that send something people can read beforehand. */
export const sends = ({ type }: PatchNode): boolean => type === "notification" || type === "webhook_out";

export function Preview({ node, place }: { node: PatchNode; place: Place }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <Text size="sm" component="span">
          {t("builder.preview")}
        </Text>
      </summary>
      {opened && <Written node={node} place={place} />}
    </details>
  );
}

function Written({ node: { type, config }, place }: { node: PatchNode; place: Place }) {
  const { t } = useTranslation();
  const { samples, titleOf } = useSamples(place.entity_type);
  const [chosen, setChosen] = useState<string | null>(null);
  const sample = samples.find(({ id }) => id === chosen) ?? samples[0];
  const asked = (text: Json | undefined, holds: "template" | "payload") =>
    sample === undefined || text === undefined || text === null || text === "" ? null : { text: typeof text === "string" && holds === "template" ? text : stringify(text), place, document_id: sample.id, holds };
  const mail = type === "notification";
  const head = useTry(asked(mail ? config.subject : config.url, "template"));
  const body = useTry(asked(config.body, mail ? "template" : "payload"));
  if (!sample) {
    return (
      <Text size="xs" c="dimmed">
        {t("builder.try_none")}
      </Text>
    );
  }
  const method = typeof config.method === "string" ? config.method : "POST";
  const wrong = head.data?.problem ?? body.data?.problem;
  const title = typeof head.data?.result === "string" ? head.data.result : "";
  // Without a body of its own a webhook carries the document.
  const sent = config.body === undefined || config.body === null ? (sample.data as Json) : (body.data?.result as Json | undefined);
  return (
    <Stack gap={6} mt={6} role="group" aria-label={t("builder.preview")}>
      <NativeSelect size="xs" aria-label={t("builder.try_on")} value={sample.id} data={samples.map((each) => ({ value: each.id, label: titleOf(each) }))} onChange={(event) => setChosen(event.currentTarget.value)} />
      {wrong ? (
        <Text size="xs" c="var(--bad)" lang="en">
          {sentenceCase(wrong.message)}
        </Text>
      ) : (
        <div className={classes.preview}>
          <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
            {mail ? title : `${method} ${title}`}
          </Text>
          {mail ? (
            <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
              {typeof body.data?.result === "string" ? body.data.result : ""}
            </Text>
          ) : (
            sent !== undefined && <JsonText value={sent} label={t("builder.preview")} />
          )}
        </div>
      )}
    </Stack>
  );
}
