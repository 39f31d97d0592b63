/** An object: its fields side by side where there is room, in a frame with its name where it is inside another. */
import { Text } from "@mantine/core";
import { pointerOf } from "../json/pointer";
import { inputId, useFormContext } from "./context";
import { FieldView, type FieldProps } from "./FieldView";
import { Legend } from "./Legend";
import type { Kind } from "./schema";
import classes from "./SchemaForm.module.css";

const WIDE: ReadonlySet<Kind> = new Set<Kind>(["object", "array", "choice", "json", "multiline"]);

export function ObjectField({ field, path, top = false }: FieldProps<"object">) {
  const form = useFormContext();
  const pointer = pointerOf(path);
  const error = form.errorAt(pointer);
  const fields = (
    <div className={classes.fields}>
      {field.fields
        // What can only have one value is not asked for.
        .filter(({ field: each }) => !("const" in each.schema))
        .map(({ name, field: each }) => (
          <div key={name} className={WIDE.has(each.kind) ? classes.wide : undefined}>
            <FieldView field={each} path={[...path, name]} />
          </div>
        ))}
    </div>
  );
  if (top) return fields;
  return (
    <fieldset id={inputId(form.id, pointer)} className={classes.group} data-error={error ? true : undefined}>
      <Legend field={field} />
      {fields}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
