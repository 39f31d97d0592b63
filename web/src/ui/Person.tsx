/** A user in one line: initials, name for people, name for the system. */
import { Group, Text } from "@mantine/core";
import { IconCpu } from "@tabler/icons-react";
import { initials } from "../features/users/search";
import classes from "./Person.module.css";

interface Props {
  name: string;
  displayName: string;
  kind: "user" | "service" | "system";
  inactive?: boolean;
  note?: string | undefined;
}

export function Person({ name, displayName, kind, inactive = false, note }: Props) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Monogram displayName={displayName} kind={kind} inactive={inactive} />
      <div style={{ minWidth: 0 }}>
        <Text fw={500} truncate="end">
          {displayName}
          {note && (
            <Text span c="dimmed" fw={400}>
              {" "}
              ({note})
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace" truncate="end">
          {name}
        </Text>
      </div>
    </Group>
  );
}

export function Monogram({ displayName, kind, inactive = false }: Omit<Props, "name" | "note">) {
  return (
    <span className={classes.monogram} data-kind={kind} data-inactive={inactive || undefined} aria-hidden="true">
      {kind === "user" ? initials(displayName) : <IconCpu size={18} stroke={1.6} />}
    </span>
  );
}
