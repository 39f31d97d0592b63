/** The name of a group of fields, and what is said about it. */
import { Text } from "@mantine/core";
import type { Field } from "./schema";
import classes from "./SchemaForm.module.css";

export function Legend({ field }: { field: Field }) {
  return (
    <>
      <legend className={classes.legend}>
        {field.label}
        {field.required && (
          <span className={classes.required} aria-hidden="true">
            {" "}
            *
          </span>
        )}
      </legend>
      {field.help && (
        <Text size="xs" c="dimmed" className={classes.help}>
          {field.help}
        </Text>
      )}
    </>
  );
}
