/** What a draft changes of what is in force: on the drawing, and slot by slot as text. */
import { Card, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDraftChanges, useDraftCompiled } from "../api/definitions";
import { graphOf } from "../canvas/graph";
import { slotTitle } from "../canvas/slotTitle";
import { Loaded } from "../ui/Loaded";
import { Notice } from "../ui/Notice";
import { BuilderCanvas, type CanvasCommands } from "./BuilderCanvas";
import classes from "./Builder.module.css";

const NOTHING: CanvasCommands = { select: () => undefined, add: () => undefined, drop: () => undefined, connect: () => undefined, enter: () => undefined };
const NONE: ReadonlySet<string> = new Set();

export function Changes({ id, revision, ready }: { id: string; revision: number; ready: boolean }) {
  const { t } = useTranslation();
  const query = useDraftChanges(id, revision, ready);
  const compiled = useDraftCompiled(id, revision, ready);
  const graph = useMemo(() => (compiled.data ? graphOf(compiled.data) : null), [compiled.data]);
  const marked = useMemo(
    () => new Map((query.data?.slots ?? []).flatMap(({ changes }) => changes.flatMap((change) => (change.kind === "added" || change.kind === "changed" ? [[change.id, change.kind] as const] : [])))),
    [query.data],
  );
  if (!ready) return <Notice>{t("builder.whole_unready")}</Notice>;
  return (
    <Loaded query={query} lines={4}>
      {({ slots }) =>
        slots.length === 0 ? (
          <Notice>{t("builder.publish_same")}</Notice>
        ) : (
          <Stack gap="md">
            {graph && <BuilderCanvas graph={graph} label={t("builder.changes_drawn")} selection={null} also={NONE} marked={marked} readOnly refusal={() => null} commands={NOTHING} height={400} />}
            {slots.map(({ slot, changes }) => (
              <Card key={slot} padding="md" component="section" aria-label={slotTitle(slot)}>
                <Text fw={600} mb={6}>
                  {slotTitle(slot)}
                </Text>
                <ul className={classes.changes}>
                  {changes.map((change) => (
                    <li key={`${change.kind}${change.what}${change.id}`} data-kind={change.kind} lang="en">
                      {change.summary}
                    </li>
                  ))}
                </ul>
              </Card>
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}
