/** An event as a sentence, with the names in it standing out. */
import { useTranslation } from "react-i18next";
import type { Event } from "../../api/types";
import { pieces, sentence } from "./sentence";

interface Props {
  event: Event;
  /** Users by id. */
  names: ReadonlyMap<string, string>;
}

export function EventSentence({ event, names }: Props) {
  const { t } = useTranslation();
  const { name, values } = sentence(event, names);
  const template = t(`event.${name}`, { skipInterpolation: true });
  return pieces(template, values).map(({ text, strong }, place) =>
    strong ? <b key={place}>{text}</b> : <span key={place}>{text}</span>,
  );
}
