/** Shows what was asked for, or a placeholder of the same height while it comes, or what went wrong. */
import { Skeleton, Stack } from "@mantine/core";
import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "./ProblemAlert";

interface Props<Data> {
  query: UseQueryResult<Data> | UseInfiniteQueryResult<Data>;
  /** How many lines the placeholder has, and how high each is. */
  lines?: number;
  height?: number;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, lines = 3, height = 44, children }: Props<Data>) {
  const { t } = useTranslation();
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="xs" role="status" aria-label={t("common.loading")}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={height} radius="md" />
      ))}
    </Stack>
  );
}
