/** A value as readable JSON, every digit of its numbers there; it can be scrolled by keyboard. */
import { useTranslation } from "react-i18next";
import { stringify } from "../json/json";
import classes from "./Json.module.css";

export function Json({ value, label }: { value: unknown; label: string }) {
  const { t } = useTranslation();
  const text = stringify(value, 2);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
    <pre className={classes.json} tabIndex={0} role="region" aria-label={label}>
      {text === "{}" ? <em>{t("common.none")}</em> : text}
    </pre>
  );
}
