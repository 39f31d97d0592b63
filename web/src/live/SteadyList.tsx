/** A list whose rows stay where they are: the hook that keeps them, and the button that tells how many wait. */
import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { received, renewed, steadyRows, type SteadyRows, withoutRow } from "./rows";

interface Steady<Row> extends SteadyRows<Row> {
  renew: () => void;
  drop: (key: string) => void;
}

/**
 * `fresh` is the list as the server has it; `filter` names what is listed (a filter, a tab): another one begins anew. While `former`,
 * what is there is still the list before the filter changed, and the one that was asked for begins anew again when it comes.
 */
export function useSteadyRows<Row>(fresh: readonly Row[], keyOf: (row: Row) => string, filter: string, former: boolean): Steady<Row> {
  const about = former ? `former ${filter}` : filter;
  const [held, setHeld] = useState(() => ({ fresh, about, rows: steadyRows(fresh) }));
  let current = held;
  if (held.about !== about) current = { fresh, about, rows: steadyRows(fresh) };
  else if (held.fresh !== fresh) current = { fresh, about, rows: received(held.rows, fresh, keyOf) };
  if (current !== held) setHeld(current);
  return {
    ...current.rows,
    renew: () => setHeld((known) => ({ fresh, about, rows: renewed(known.rows, fresh, keyOf) })),
    drop: (key) => setHeld((known) => ({ ...known, rows: withoutRow(known.rows, key, keyOf) })),
  };
}

export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      {count > 0 && (
        <Button size="xs" variant="light" leftSection={<IconArrowUp size={14} aria-hidden="true" />} onClick={onShow}>
          {t("live.new_rows", { count })}
        </Button>
      )}
    </div>
  );
}
