/** A list: items are added at its end, removed, and moved up and down by buttons that a keyboard reaches. */
import { ActionIcon, Button, Checkbox, Stack, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Json, same } from "../json/json";
import { pointerOf } from "../json/pointer";
import { Hint } from "../ui/Hint";
import { inputId, useFormContext } from "./context";
import { FieldView, type FieldProps } from "./FieldView";
import { Legend } from "./Legend";
import { emptyOf, fieldOf, type Option } from "./schema";
import classes from "./SchemaForm.module.css";
import { itemsAt } from "./state";

export function ArrayField(props: FieldProps<"array">) {
  const form = useFormContext();
  const item = fieldOf(props.field.item, form.root);
  // Each value once, of those that are known: then an order says nothing, and they are ticked.
  if (item.kind === "enum" && props.field.schema.uniqueItems === true) return <SeveralField {...props} options={item.options} />;
  return <ItemsField {...props} />;
}

function SeveralField({ field, path, options }: FieldProps<"array"> & { options: readonly Option[] }) {
  const form = useFormContext();
  const pointer = pointerOf(path);
  const error = form.errorAt(pointer);
  const readOnly = form.readOnly || field.readOnly;
  const chosen = itemsAt(form.state, path);
  const told = `${inputId(form.id, pointer)}-error`;
  const tick = (value: Json, on: boolean) =>
    // In the order of the options, whatever the order of the ticks; what is none of them is not lost.
    form.dispatch({
      kind: "set",
      path,
      value: [...options.map((option) => option.value).filter((each) => (same(each, value) ? on : chosen.some((known) => same(known, each)))), ...chosen.filter((each) => !options.some((option) => same(option.value, each)))],
    });
  return (
    <fieldset id={inputId(form.id, pointer)} className={classes.group} data-error={error ? true : undefined} aria-label={field.label} aria-describedby={error ? told : undefined}>
      <Legend field={field} />
      <Stack gap="xs">
        {options.map(({ value, label }) => (
          <Checkbox
            key={label}
            label={label}
            checked={chosen.some((each) => same(each, value))}
            aria-readonly={readOnly || undefined}
            aria-invalid={error ? true : undefined}
            onChange={(event) => !readOnly && tick(value, event.currentTarget.checked)}
          />
        ))}
      </Stack>
      {error && (
        <Text id={told} size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}

function ItemsField({ field, path }: FieldProps<"array">) {
  const { t } = useTranslation();
  const form = useFormContext();
  const items = itemsAt(form.state, path);
  const pointer = pointerOf(path);
  const error = form.errorAt(pointer);
  const [said, setSaid] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const readOnly = form.readOnly || field.readOnly;
  const shape = fieldOf(field.item, form.root);
  const plain = shape.kind !== "object" && shape.kind !== "array" && shape.kind !== "choice" && shape.kind !== "json";

  const name = (at: number) => t("form.item", { name: field.label, number: at + 1 });
  const move = (from: number, to: number) => {
    form.dispatch({ kind: "move", path, from, to });
    setSaid(t("form.moved", { number: to + 1 }));
    // The item moved; whoever moved it goes along, and may press again.
    requestAnimationFrame(() => focusTool(list.current, to, to < from ? "up" : "down"));
  };
  const remove = (at: number) => {
    form.dispatch({ kind: "remove", path, at });
    setSaid(t("form.removed", { name: name(at) }));
    requestAnimationFrame(() => (items.length > 1 ? focusTool(list.current, Math.min(at, items.length - 2), "remove") : adding.current?.focus()));
  };
  return (
    <fieldset id={inputId(form.id, pointer)} className={classes.group} data-error={error ? true : undefined}>
      <Legend field={field} />
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("form.no_items")}
        </Text>
      )}
      <ol className={classes.items} ref={list}>
        {items.map((_, at) => (
          <li key={at} className={classes.item} data-plain={plain || undefined} aria-label={name(at)}>
            <FieldView field={{ ...fieldOf(field.item, form.root, "", true), label: name(at) }} path={[...path, at]} />
            {!readOnly && (
              <div className={classes.tools} style={plain ? { marginTop: "1.6rem" } : undefined}>
                <Tool tool="up" label={t("form.move_up", { name: name(at) })} off={at === 0} onClick={() => move(at, at - 1)} />
                <Tool tool="down" label={t("form.move_down", { name: name(at) })} off={at === items.length - 1} onClick={() => move(at, at + 1)} />
                <Tool tool="remove" label={t("form.remove", { name: name(at) })} onClick={() => remove(at)} />
              </div>
            )}
          </li>
        ))}
      </ol>
      {!readOnly && (
        <Button
          ref={adding}
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => form.dispatch({ kind: "add", path, value: emptyOf(field.item, form.root) ?? (plain && shape.kind === "text" ? "" : null) })}
        >
          {t("form.add", { name: field.label })}
        </Button>
      )}
      <Text size="xs" c="dimmed" role="status">
        {said}
      </Text>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}

const ICONS = { up: IconArrowUp, down: IconArrowDown, remove: IconTrash } as const;

function Tool({ tool, label, off = false, onClick }: { tool: keyof typeof ICONS; label: string; off?: boolean; onClick: () => void }) {
  const Icon = ICONS[tool];
  return (
    <Hint label={label}>
      {/* Not `disabled`: the one that was just moved to the top must not lose the focus. */}
      <ActionIcon
        variant="subtle"
        color="slate"
        size="lg"
        aria-label={label}
        aria-disabled={off || undefined}
        data-disabled={off || undefined}
        data-tool={tool}
        onClick={() => !off && onClick()}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    </Hint>
  );
}

function focusTool(list: HTMLOListElement | null, at: number, tool: keyof typeof ICONS): void {
  list?.children[at]?.querySelector<HTMLElement>(`:scope > div > [data-tool="${tool}"]`)?.focus();
}
