/**
 * An expression: what it may read is offered while one types, and what is wrong with it stands below, with the place. The server
 * checks it by the contract, as the compiler will.
 */
import { Code, Text, Textarea, UnstyledButton } from "@mantine/core";
import { type FocusEventHandler, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Place, useCompletions, useExpressionCheck } from "../api/definitions";
import { sentenceCase } from "../ui/sentenceCase";
import classes from "./Builder.module.css";
import { TryExpression } from "./TryExpression";
import { useLater } from "./useLater";

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

const PAUSE = 150;
const OFFERED = 8;

export function ExpressionField({ onChange, id, label, description, required, readOnly, error, value, onBlur, place, gives }: ExpressionInput & { place: Place; gives: string }) {
  const { t } = useTranslation();
  const own = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const text = useLater(value, PAUSE);
  const asked = useLater(cursor, PAUSE);
  const check = useExpressionCheck(text, place, gives);
  const offers = useCompletions(text, readOnly || text !== value ? null : asked, place);
  const shown = cursor === null ? [] : (offers.data ?? []).slice(0, OFFERED);
  const active = Math.min(at, shown.length - 1);
  const problem = value === text ? check.data?.problems[0] : undefined;
  const take = (offer: (typeof shown)[number]) => {
    const next = value.slice(0, offer.start) + offer.insert + value.slice(offer.end);
    const end = offer.start + offer.insert.length;
    onChange(next);
    setAt(0);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(end, end);
      setCursor(end);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const offer = shown[active];
    if (!offer) return;
    if (event.key === "ArrowDown") setAt(Math.min(active + 1, shown.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(active - 1, 0));
    else if (event.key === "Tab" || event.key === "Enter") take(offer);
    else if (event.key === "Escape") setCursor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const said = problem ? sentenceCase(problem.message) : error;
  const given = { label, description, readOnly, value, ...(id !== undefined && { id }), ...(required !== undefined && { required }) };
  return (
    <div className={classes.expression}>
      <Textarea
        {...given}
        ref={input}
        error={said}
        className={classes.mono}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={500}
        spellCheck={false}
        aria-autocomplete="list"
        aria-controls={shown.length > 0 ? `${own}-offers` : undefined}
        onChange={(event) => {
          onChange(event.currentTarget.value.replaceAll("\n", " "));
          setCursor(event.currentTarget.selectionStart);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          setCursor(null);
          onBlur?.(event);
        }}
      />
      {problem && (
        <Code block className={classes.caret} data-caret aria-hidden="true">
          {`${problem.expression}\n${" ".repeat(problem.position)}${"^".repeat(Math.max(1, problem.end - problem.position))}`}
        </Code>
      )}
      {problem?.hint && (
        <Text size="xs" c="dimmed" lang="en">
          {problem.hint}
        </Text>
      )}
      <TryExpression text={value} place={place} readOnly={readOnly} onFormat={onChange} />
      {shown.length > 0 && (
        <div role="listbox" id={`${own}-offers`} aria-label={t("builder.offers")} className={classes.offers}>
          {shown.map((offer, index) => (
            <UnstyledButton
              key={offer.label}
              role="option"
              aria-selected={index === active}
              data-active={index === active || undefined}
              className={classes.item}
              tabIndex={-1}
              // Before the field loses the cursor.
              onMouseDown={(event) => {
                event.preventDefault();
                take(offer);
              }}
            >
              <code>{offer.label}</code>
              <Text size="xs" c="dimmed" component="span">
                {offer.detail}
              </Text>
            </UnstyledButton>
          ))}
        </div>
      )}
    </div>
  );
}
