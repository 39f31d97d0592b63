/** What earlier sessions of a definition were given: one of them is a beginning for the next. */
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePreviousInputs } from "../../api/sessions";
import { type Json, stringify } from "../../json/json";

export function Previous({ workflow, onChoose }: { workflow: string; onChoose: (input: Json) => void }) {
  const { t } = useTranslation();
  const { data } = usePreviousInputs(workflow);
  const [chosen, setChosen] = useState("");
  // The same input twice is one choice, under the name of the latest.
  const inputs = new Map((data ?? []).map((session) => [stringify(session.input_data as Json), session]));
  if (inputs.size === 0) return null;
  return (
    <NativeSelect
      label={t("sessions.previous")}
      description={t("sessions.previous_hint")}
      maw={480}
      value={chosen}
      data={[{ value: "", label: t("sessions.previous_none") }, ...[...inputs].map(([value, { session_name }]) => ({ value, label: session_name }))]}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setChosen(text);
        const session = inputs.get(text);
        if (session) onChoose(session.input_data as Json);
      }}
    />
  );
}
