/** One event with everything it carries. */
import { Drawer, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useUserNames } from "../../api/queries";
import type { Event } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { Facts } from "../../ui/Facts";
import { Json } from "../../ui/Json";
import { LinkButton } from "../../ui/LinkButton";
import { TraceId } from "../../ui/TraceId";
import { When } from "../../ui/When";
import { eventKind } from "./filter";
import { EventSentence } from "./EventSentence";

interface Props {
  event: Event | null;
  onClose: () => void;
}

export function EventDrawer({ event, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={event !== null}
      onClose={onClose}
      title={event ? t("audit.event", { id: event.id }) : ""}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {event && <Told event={event} onFollow={onClose} />}
    </Drawer>
  );
}

function Told({ event, onFollow }: { event: Event; onFollow: () => void }) {
  const { t } = useTranslation();
  const names = useUserNames();
  const kind = eventKind(event.object_kind);
  return (
    <Stack>
      <Text size="lg">
        <EventSentence event={event} names={names} />
      </Text>
      <Facts
        facts={[
          [t("audit.type"), <code key="type">{event.event_type}</code>],
          [t("audit.when"), <When key="when" at={event.created_at} as="exact" />],
          [t("audit.actor"), <code key="actor">{event.actor}</code>],
          [t("audit.kind"), kind ? t(`audit.kind_${kind}`) : event.object_kind],
          [
            t("audit.object"),
            <Group key="object" gap={4} wrap="nowrap">
              <code style={{ overflowWrap: "anywhere" }}>{event.object_id}</code>
              <CopyButton text={event.object_id} label={t("audit.copy_id")} />
            </Group>,
          ],
          [t("audit.link"), event.seq ?? t("audit.link_none")],
          event.step_id && [t("audit.step"), <code key="step">{event.step_id}</code>],
          event.trace_id && [t("audit.trace"), <TraceId key="trace" of={event.trace_id} />],
        ]}
      />
      <div>
        <Text fw={500} size="sm" mb={4}>
          {t("audit.data")}
        </Text>
        <Json value={event.data} label={t("audit.data")} />
      </div>
      {event.object_kind === "run" && (
        <LinkButton to="/runs/$runId" params={{ runId: event.object_id }} variant="default" onClick={onFollow}>
          {t("audit.to_run")}
        </LinkButton>
      )}
      <LinkButton to="/audit" search={{ object: event.object_id }} variant="default" onClick={onFollow}>
        {t("audit.to_object")}
      </LinkButton>
    </Stack>
  );
}
