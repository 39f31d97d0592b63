/** A quiet place where there is nothing to show: empty, not found, not allowed. */
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "./Mark";

interface Props {
  title?: string;
  /** 1 where it stands for a whole page. */
  order?: 1 | 2;
  children?: ReactNode;
  action?: ReactNode;
}

export function Notice({ title, order = 2, children, action }: Props) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <div style={{ opacity: 0.55 }}>
        <Mark size={36} />
      </div>
      {title && (
        <Title order={order} size="h2">
          {title}
        </Title>
      )}
      <Text c="dimmed" maw={440}>
        {children}
      </Text>
      {action}
    </Stack>
  );
}
