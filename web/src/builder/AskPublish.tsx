/** What is asked before a draft is published: what changes, whose changes, what the test cases and past documents say. Once. */
import { Button, Checkbox, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCases, useDiff, useNewestWhatIf, usePropose, usePublish } from "../api/definitions";
import type { Definition } from "../api/types";
import { slotTitle } from "../canvas/slotTitle";
import { ActionButton } from "../ui/ActionButton";
import { Loaded } from "../ui/Loaded";
import { done } from "../ui/notify";
import { ProblemAlert } from "../ui/ProblemAlert";
import classes from "./Builder.module.css";
import { ChangeList } from "./Changes";

export function AskPublish({ definition, revision, inForceId, onClose }: { definition: Definition; revision: number; inForceId: string | undefined; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const publish = usePublish();
  const navigate = useNavigate();
  const propose = usePropose();
  const diff = useDiff(inForceId, definition.id);
  const cases = useCases(definition.id, revision);
  const tried = useNewestWhatIf(definition.entity_type, definition.id);
  const count = (number: number) => new Intl.NumberFormat(i18n.language).format(number);
  const [despite, setDespite] = useState(false);
  const failing = (cases.data?.cases ?? []).filter(({ passed }) => !passed);
  const ask = () =>
    propose.mutate(
      { id: definition.id, revision },
      {
        onSuccess: () => {
          done(t("builder.proposed"));
          onClose();
        },
      },
    );
  const confirm = () =>
    publish.mutate(
      { id: definition.id, revision, despite_cases: despite },
      {
        onSuccess: (made) => {
          done(t("builder.published", { version: made.version }));
          void navigate({ to: "/workflows" });
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={t("builder.publish_title")} size="lg" closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text>{t("builder.publish_text")}</Text>
        <div>
          <Title order={3} size="h4" mb={6}>
            {t("builder.publish_changes")}
          </Title>
          <Loaded query={diff} lines={3} height={20}>
            {({ slots }) =>
              slots.length === 0 ? (
                <Text c="dimmed">{t("builder.publish_same")}</Text>
              ) : (
                <Stack gap="xs">
                  {slots.map(({ slot, changes }) => (
                    <div key={slot}>
                      <Text size="sm" fw={600}>
                        {slotTitle(slot)}
                      </Text>
                      <ChangeList changes={changes} />
                    </div>
                  ))}
                </Stack>
              )
            }
          </Loaded>
        </div>
        <Text size="sm" c="dimmed">
          {t("builder.publish_whose", { names: definition.editors.map((each) => each.replace(/^[a-z_]+:/, "")).join(", ") || "—" })}
          {definition.proposed_by !== null && <> · {t("builder.proposed_by", { name: definition.proposed_by.replace(/^[a-z_]+:/, "") })}</>}
        </Text>
        <div>
          <Title order={3} size="h4" mb={6}>
            {t("builder.cases")}
          </Title>
          <Loaded query={cases} lines={2} height={20}>
            {(found) =>
              found.cases.length === 0 ? (
                <Text c="dimmed">{t("builder.cases_none")}</Text>
              ) : (
                <ul className={classes.changes}>
                  {found.cases.map(({ name, passed, differences, error }) => (
                    <li key={name} data-kind={passed ? "added" : "removed"}>
                      {name}: {t(passed ? "builder.case_passed" : "builder.case_failed")}
                      {!passed && (
                        <span className={classes.field} lang="en">
                          {[...(differences ?? []), error].filter(Boolean).join("; ")}
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
          {failing.length > 0 && <Checkbox mt="sm" label={t("builder.publish_despite")} checked={despite} onChange={(event) => setDespite(event.currentTarget.checked)} />}
        </div>
        <div>
          <Title order={3} size="h4" mb={6}>
            {t("builder.mode_what_if")}
          </Title>
          <Loaded query={tried} lines={1} height={20}>
            {(found) => (
              <Text {...(found === null && { c: "dimmed" })}>
                {found === null ? t("builder.what_if_none") : t("builder.what_if_changed", { changed: count(found.changed), replayed: count(found.replayed) })}
                {found !== null && found.revision !== revision && (
                  <Text span c="dimmed" size="sm" ml={6}>
                    {t("builder.what_if_older")}
                  </Text>
                )}
              </Text>
            )}
          </Loaded>
        </div>
        {publish.isError && <ProblemAlert error={publish.error} />}
        {propose.isError && <ProblemAlert error={propose.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("common.cancel")}
          </Button>
          <Button variant="default" loading={propose.isPending} onClick={ask}>
            {t("builder.propose")}
          </Button>
          <ActionButton needs="processes:publish" loading={publish.isPending} refusal={failing.length > 0 && !despite ? t("builder.case_failed_first", { count: failing.length }) : undefined} onClick={confirm}>
            {t("builder.publish")}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}
