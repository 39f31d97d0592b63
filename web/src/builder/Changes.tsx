/** What differs, on the drawing and slot by slot as text: from what is in force, from the skeleton, or from any version. */
import { Card, Code, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCustomisation, useDefinitions, useDiff, useDraftChanges, useDraftCompiled } from "../api/definitions";
import { useCompiled } from "../api/processes";
import type { components } from "../api/schema";
import type { Definition } from "../api/types";
import { graphOf } from "../canvas/graph";
import { slotTitle } from "../canvas/slotTitle";
import { spoken } from "../forms/schema";
import { copyText, type Json } from "../json/json";
import { Loaded } from "../ui/Loaded";
import { Notice } from "../ui/Notice";
import { BuilderCanvas, type CanvasCommands } from "./BuilderCanvas";
import classes from "./Builder.module.css";
import { sidesOf, together } from "./model/together";

/** A drawing that is only looked at. */
export const NOTHING: CanvasCommands = { select: () => undefined, add: () => undefined, drop: () => undefined, connect: () => undefined, enter: () => undefined };
export const NONE: ReadonlySet<string> = new Set();
const IN_FORCE = "";
const SKELETON = "skeleton";

interface Props {
  definition: Definition;
  revision: number;
  ready: boolean;
  inForceId: string | undefined;
  /** What it is compared with: nothing for what is in force, `skeleton`, or the id of a version. */
  against: string;
  onAgainst: (against: string) => void;
}

type Differences = components["schemas"]["Differences"];
type Change = Differences["slots"][number]["changes"][number];

export function Changes({ definition, revision, ready, inForceId, against, onAgainst }: Props) {
  const { t } = useTranslation();
  const versions = useDefinitions({ entity_type: definition.entity_type, kind: "effective" });
  const inForce = useDraftChanges(definition.id, revision, ready && against === IN_FORCE);
  const skeleton = useCustomisation(ready && against === SKELETON ? definition.id : undefined);
  const version = useDiff(against !== IN_FORCE && against !== SKELETON ? against : undefined, ready ? definition.id : undefined);
  const query = against === IN_FORCE ? inForce : against === SKELETON ? skeleton : version;
  const compiled = useDraftCompiled(definition.id, revision, ready);
  const before = useCompiled(against === SKELETON ? undefined : against === IN_FORCE ? inForceId : against);
  const graph = useMemo(() => (compiled.data ? graphOf(together(before.data ?? null, compiled.data)) : null), [compiled.data, before.data]);
  const marked = useMemo(() => sidesOf(query.data ?? { slots: [] }), [query.data]);
  const published = (versions.data?.pages ?? []).flatMap(({ items }) => items).filter(({ id, source_definition_id }) => source_definition_id !== null && id !== inForceId);
  if (!ready) return <Notice>{t("builder.whole_unready")}</Notice>;
  return (
    <Stack gap="md">
      <NativeSelect
        label={t("builder.against")}
        value={against}
        style={{ alignSelf: "flex-start" }}
        data={[
          { value: IN_FORCE, label: t("builder.against_in_force") },
          { value: SKELETON, label: t("builder.against_skeleton") },
          ...published.map(({ id, version: number }) => ({ value: id, label: t("builder.against_version", { version: number }) })),
        ]}
        onChange={(event) => onAgainst(event.currentTarget.value)}
      />
      <Loaded query={query} lines={4}>
        {({ slots }) =>
          slots.length === 0 ? (
            <Notice>{t("builder.publish_same")}</Notice>
          ) : (
            <Stack gap="md">
              <Legend words={[["added", t("builder.kind_added")], ["changed", t("builder.kind_changed")], ["removed", t("builder.kind_removed")]]} />
              {graph && <BuilderCanvas graph={graph} label={t("builder.changes_drawn")} selection={null} also={NONE} marked={marked} readOnly refusal={() => null} commands={NOTHING} height={420} />}
              {slots.map(({ slot, changes }) => (
                <Card key={slot} padding="md" component="section" aria-label={slotTitle(slot)}>
                  <Text fw={600} mb={6}>
                    {slotTitle(slot)}
                  </Text>
                  <ChangeList changes={changes} />
                </Card>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

/** Each change in a line: what of it was otherwise, and how. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.changes}>
      {changes.filter((change) => !isPin(change)).map((change) => (
        <li key={`${change.kind}${change.what}${change.id}`} data-kind={change.kind}>
          <Group gap={6} wrap="nowrap" align="baseline">
            <span aria-hidden="true">{change.kind === "added" ? "+" : change.kind === "removed" ? "−" : "~"}</span>
            <span>
              <span className={classes.kind}>{t(`builder.kind_${change.kind}`)}</span> <span lang="en">{shortened(change.summary)}</span>
              {(change.fields ?? []).map((field) => (
                <span key={field.path} className={classes.field}>
                  {spoken(field.path.replace(/^config\./, ""))}: <Code>{told(field.before as Json)}</Code> → <Code>{told(field.after as Json)}</Code>
                </span>
              ))}
            </span>
          </Group>
        </li>
      ))}
    </ul>
  );
}

export function Legend({ words }: { words: readonly (readonly [side: string, text: string])[] }) {
  return (
    <Group gap="md">
      {words.map(([side, text]) => (
        <Group key={side} gap={6}>
          <span className={classes.swatch} data-kind={side} aria-hidden="true" />
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

/** Ids in full say the slot once more, which stands above, and what everything of the skeleton is called. */
const shortened = (summary: string): string => summary.replaceAll(/\b(?:usr|sys):slot:[a-z_]+:/g, "").replaceAll(/\bsys:(?:state|gate|slot)?:?/g, "");
/** Where a slot is attached comes and goes with the slot: it is nobody's change. */
const isPin = ({ what, summary }: Change): boolean => what === "node" && summary.includes("(attachment)");
const told = (value: Json | undefined): string => (value === undefined || value === null ? "—" : copyText(value));
