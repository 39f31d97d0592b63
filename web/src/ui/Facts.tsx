/** Names and values, side by side. */
import type { ReactNode } from "react";
import classes from "./Facts.module.css";

type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { facts: readonly (Fact | null | undefined | "" | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => !!fact)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
