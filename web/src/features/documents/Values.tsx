/** The content of a document to read, field by field, lists of lines as tables; and what differs between two contents. */
import { useTranslation } from "react-i18next";
import type { Field, Schema } from "../../forms/schema";
import { fieldOf } from "../../forms/schema";
import { isNumber } from "../../json/exact";
import { changes } from "../../json/diff";
import { isObject, type Json, type JsonObject } from "../../json/json";
import { Json as JsonText } from "../../ui/Json";
import classes from "./Values.module.css";
import { fieldAt, placeName, shownValue, summed, type Words } from "./values";

export function useValueWords(): Words {
  const { t } = useTranslation();
  return { yes: t("common.yes"), no: t("common.no"), none: "—" };
}

export function Values({ schema, data }: { schema: Schema; data: JsonObject }) {
  const root = fieldOf(schema, schema);
  const fields = root.kind === "object" ? root.fields : [];
  const known = new Set(fields.map(({ name }) => name));
  const rest = Object.keys(data).filter((name) => !known.has(name));
  return (
    <dl className={classes.values}>
      {fields.map(({ name, field }) => (
        <Value key={name} label={field.label} value={data[name]} field={field} schema={schema} whole={data} />
      ))}
      {rest.map((name) => (
        <Value key={name} label={placeName(schema, [name])} value={data[name]} field={null} schema={schema} whole={data} />
      ))}
    </dl>
  );
}

interface ValueProps {
  label: string;
  value: Json | undefined;
  field: Field | null;
  schema: Schema;
  whole: JsonObject;
}

function Value({ label, value, field, schema, whole }: ValueProps) {
  const words = useValueWords();
  const rows = Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : null;
  const inner = isObject(value) ? value : null;
  const wide = rows !== null || inner !== null || Array.isArray(value) || field?.kind === "multiline";
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd className={field?.kind === "money" ? classes.money : undefined}>
        {rows ? (
          <Lines label={label} rows={rows} field={field} schema={schema} whole={whole} />
        ) : inner && field?.kind === "object" ? (
          <Values schema={{ ...field.schema, ...(schema.$defs !== undefined && { $defs: schema.$defs }) }} data={inner} />
        ) : inner ? (
          <JsonText value={inner} label={label} />
        ) : Array.isArray(value) ? (
          value.map((each) => shownValue(each, null, whole, words)).join(", ") || words.none
        ) : (
          shownValue(value, field, whole, words)
        )}
      </dd>
    </div>
  );
}

function Lines({ label, rows, field, schema, whole }: { label: string; rows: JsonObject[]; field: Field | null; schema: Schema; whole: JsonObject }) {
  const words = useValueWords();
  const item = field?.kind === "array" ? fieldOf(field.item, schema) : null;
  const named = item?.kind === "object" ? item.fields : [];
  const columns = [...new Set([...named.map(({ name }) => name), ...rows.flatMap((row) => Object.keys(row))])];
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.lines}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" data-number={rows.every((row) => row[name] === undefined || isNumber(row[name])) || undefined}>
                {named.find((each) => each.name === name)?.field.label ?? placeName({}, [name])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((name) => (
                <td key={name} data-number={isNumber(row[name]) || undefined}>
                  {shownValue(row[name], named.find((each) => each.name === name)?.field ?? null, whole, words)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChangesProps {
  schema: Schema;
  before: JsonObject;
  after: JsonObject;
}

/** Each field that differs, nested ones too: what it was → what it is. */
export function Changes({ schema, before, after }: ChangesProps) {
  const { t } = useTranslation();
  const words = useValueWords();
  const found = changes(before, after);
  if (found.length === 0) return <p style={{ margin: 0 }}>{t("documents.no_change")}</p>;
  return (
    <ul className={classes.changes}>
      {found.map(({ path, pointer, before: was, after: is }) => {
        const field = fieldAt(schema, path);
        return (
          <li key={pointer}>
            <span className={classes.place}>{placeName(schema, path)}</span>
            {was === undefined ? <span>{t("documents.was_empty")}</span> : <del>{summed(was, field, schema, before, words)}</del>}
            <span aria-hidden="true">→</span>
            {is === undefined ? <span>{t("documents.was_removed")}</span> : <ins>{summed(is, field, schema, after, words)}</ins>}
          </li>
        );
      })}
    </ul>
  );
}
