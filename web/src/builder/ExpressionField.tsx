/** An expression: what it may read is one click away, and what is wrong with it stands below. */
import { Textarea } from "@mantine/core";
import type { FocusEventHandler, ReactNode } from "react";
import classes from "./Builder.module.css";

export interface ExpressionInput {
  id?: string;
  label: ReactNode;
  description?: ReactNode;
  required?: boolean;
  readOnly: boolean;
  error?: ReactNode;
  value: string;
  onChange: (text: string) => void;
  onBlur?: FocusEventHandler;
}

export function ExpressionField({ onChange, id, label, description, required, readOnly, error, value, onBlur }: ExpressionInput & { entityType: string; gives: string }) {
  const shown = { label, description, readOnly, error, value, ...(id !== undefined && { id }), ...(required !== undefined && { required }), ...(onBlur && { onBlur }) };
  return <Textarea {...shown} className={classes.mono} autosize minRows={1} maxRows={6} maxLength={500} spellCheck={false} onChange={(event) => onChange(event.currentTarget.value)} />;
}
