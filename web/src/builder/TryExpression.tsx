/** A sample document beside an expression: what the expression comes to with it, and why, in words. */
import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Place, useFormat, useTry } from "../api/definitions";
import { copyText } from "../json/json";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSamples } from "./useSamples";

interface Props {
  text: string;
  place: Place;
  readOnly: boolean;
  onFormat: (text: string) => void;
}

export function TryExpression({ text, place, readOnly, onFormat }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [opened, setOpened] = useState(false);
  if (text.trim() === "") return null;
  return (
    <Stack gap={4}>
      <Group gap={4}>
        {!readOnly && (
          <Button size="compact-xs" variant="subtle" loading={format.isPending} onClick={() => format.mutate(text, { onSuccess: (made) => onFormat(made.text) })}>
            {t("builder.format")}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t("builder.try_it")}
        </Button>
      </Group>
      {format.isError && <ProblemAlert error={format.error} />}
      {opened && <Sample text={text} place={place} />}
    </Stack>
  );
}

function Sample({ text, place }: { text: string; place: Place }) {
  const { t } = useTranslation();
  const { samples, titleOf } = useSamples(place.entity_type);
  const [chosen, setChosen] = useState<string | null>(null);
  const document_id = chosen ?? samples[0]?.id;
  const tried = useTry(document_id === undefined ? null : { text, place, document_id });
  if (samples.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t("builder.try_none")}
      </Text>
    );
  }
  const { data } = tried;
  return (
    <Stack gap={4}>
      <NativeSelect size="xs" aria-label={t("builder.try_on")} value={document_id} data={samples.map((each) => ({ value: each.id, label: titleOf(each) }))} onChange={(event) => setChosen(event.currentTarget.value)} />
      {tried.isError && <ProblemAlert error={tried.error} />}
      {data && (
        <Text size="xs" role="status" lang="en">
          {data.problem ? data.problem.message : (data.because ?? copyText(data.result))}
        </Text>
      )}
    </Stack>
  );
}
