/** Shows what was asked for, or a placeholder of the same height while it comes, or what went wrong. */
import { Box, Skeleton, Stack } from "@mantine/core";
import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "./ProblemAlert";

interface Props<Data> {
  query: UseQueryResult<Data> | UseInfiniteQueryResult<Data>;
  /** How many lines the placeholder has, and how high each is. */
  lines?: number;
  height?: number;
  /** Keeps placeholder and problem off the edges, in a card whose content goes up to them. */
  inset?: boolean;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, lines = 3, height = 44, inset = false, children }: Props<Data>) {
  const { t } = useTranslation();
  const problem = query.isError && (
    <Box p={inset ? "md" : 0}>
      <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
    </Box>
  );
  if (query.data !== undefined) {
    return (
      <>
        {problem}
        {children(query.data)}
      </>
    );
  }
  if (problem) return problem;
  return (
    <Stack gap="xs" p={inset ? "md" : 0} role="status" aria-label={t("common.loading")}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={height} radius="md" />
      ))}
    </Stack>
  );
}
