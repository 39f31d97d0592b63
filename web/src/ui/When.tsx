/** An instant: short in the line, exact on hover and touch, and machine-readable for whoever needs it. */
import { useTranslation } from "react-i18next";
import { Hint } from "./Hint";
import { useNow } from "./useNow";
import { clockTime, exactTime, relativeTime } from "./time";

interface Props {
  at: string | Date;
  as?: "relative" | "clock" | "exact";
}

export function When({ at, as = "relative" }: Props) {
  const { i18n } = useTranslation();
  const now = useNow();
  const time = typeof at === "string" ? new Date(at) : at;
  const exact = exactTime(time);
  if (as === "exact") return <time dateTime={time.toISOString()}>{exact}</time>;
  const text = as === "clock" ? clockTime(time) : relativeTime(time, now, i18n.language);
  return (
    <Hint label={exact}>
      <time dateTime={time.toISOString()} style={{ whiteSpace: "nowrap" }}>
        {text}
      </time>
    </Hint>
  );
}
