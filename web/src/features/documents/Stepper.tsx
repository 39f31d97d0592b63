/** The way a document goes, and where on it this one is. */
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type Contract, stagesOf } from "./contract";
import classes from "./Stepper.module.css";

export function Stepper({ contract, status }: { contract: Contract; status: string }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.stepper} aria-label={t("documents.lifecycle")}>
      {stagesOf(contract, status).map(({ state, at }) => (
        <li key={state.name} className={classes.stage} data-at={at} aria-current={at === "here" ? "step" : undefined}>
          <span className={classes.dot} aria-hidden="true">
            {at === "done" && <IconCheck size={12} stroke={3} />}
          </span>
          {state.title}
        </li>
      ))}
    </ol>
  );
}
