/** The library of workflows to begin with: what each is for, how it looks, the test cases that come with it, and a draft made from it. */
import { Badge, Group, List, Modal, Stack, Text, TextInput, Title, UnstyledButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type TemplateInfo, useInstantiate, useTemplate, useTemplates } from "../../api/definitions";
import { graphOf } from "../../canvas/graph";
import { LazyCanvas } from "../../canvas/LazyCanvas";
import { slotTitle } from "../../canvas/slotTitle";
import { spoken } from "../../forms/schema";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { ProblemAlert } from "../../ui/ProblemAlert";
import classes from "./Templates.module.css";

interface Props {
  /** Which is looked at; the first when none is named. */
  chosen: string;
  /** The document types there are, with what people call them. */
  types: ReadonlyMap<string, string>;
  onChoose: (name: string) => void;
  onClose: () => void;
}

export function Templates({ chosen, types, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const query = useTemplates();
  return (
    <Modal opened onClose={onClose} size="min(1100px, 95vw)" title={t("workflows.templates")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Loaded query={query} lines={5}>
        {(templates) => {
          const shown = templates.find(({ name }) => name === chosen) ?? templates[0];
          if (!shown) return null;
          return (
            <div className={classes.columns}>
              <ul className={classes.list} aria-label={t("workflows.templates")}>
                {templates.map((each) => (
                  <li key={each.name}>
                    <UnstyledButton className={classes.one} aria-current={each === shown} onClick={() => onChoose(each.name)}>
                      <Text component="span" fw={600} display="block" lang="en">
                        {each.title}
                      </Text>
                      <Text component="span" size="xs" c="dimmed">
                        {t("workflows.template_steps", { count: each.steps })} · {t("workflows.template_cases", { count: each.cases })}
                      </Text>
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
              <One key={shown.name} info={shown} types={types} />
            </div>
          );
        }}
      </Loaded>
    </Modal>
  );
}

function One({ info, types }: { info: TemplateInfo; types: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = useTemplate(info.name);
  const begin = useInstantiate();
  const [type, setType] = useState(info.entity_type);
  const compiled = query.data?.compiled;
  const graph = useMemo(() => (compiled ? graphOf(compiled) : null), [compiled]);
  // The skeleton is much the same everywhere: what the template puts into it is what one wants to see.
  const own = compiled?.topological_order.find((id) => compiled.nodes_by_id[id]?.provenance.startsWith("slot:") && !id.startsWith("sys:")) ?? null;
  const known = types.get(type.trim());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    begin.mutate({ name: info.name, entity_type: type.trim() }, { onSuccess: ({ id }) => void navigate({ to: "/workflows/$definitionId", params: { definitionId: id } }) });
  };
  return (
    <Stack gap="md" component="section" aria-label={info.title} miw={0}>
      <div lang="en">
        <Title order={3}>{info.title}</Title>
        <Text c="dimmed">{info.description}</Text>
      </div>
      <Loaded query={query} lines={3} height={90}>
        {({ cases }) => (
          <>
            {graph && <LazyCanvas graph={graph} label={t("workflows.template_drawn", { title: info.title })} selected={own} height={240} />}
            <Group gap="xs">
              {info.slots.map((slot) => (
                <Badge key={slot} color="slate">
                  {slotTitle(slot)}
                </Badge>
              ))}
            </Group>
            <div>
              <Text size="sm" fw={600} mb={4}>
                {t("workflows.template_cases_of")}
              </Text>
              <List size="sm">
                {cases.map((name) => (
                  <List.Item key={name} lang="en">
                    {name}
                  </List.Item>
                ))}
              </List>
            </div>
          </>
        )}
      </Loaded>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t("workflows.template_type")}
            description={t(known === undefined ? "workflows.template_type_new" : "workflows.template_type_known", { title: known ?? spoken(type) })}
            value={type}
            spellCheck={false}
            autoComplete="off"
            required
            style={{ flex: "1 1 16rem" }}
            onChange={(event) => setType(event.currentTarget.value)}
          />
          <ActionButton needs="processes:design" type="submit" loading={begin.isPending}>
            {t("workflows.template_use")}
          </ActionButton>
        </Group>
        {begin.isError && <ProblemAlert error={begin.error} />}
      </form>
    </Stack>
  );
}
