/** A text with suggestions: those already in use, say. Anything else may be entered too. */
import { Autocomplete, Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Suggest } from "./context";

interface Props {
  id: string;
  label: string;
  description: string | undefined;
  required: boolean;
  readOnly: boolean;
  error: ReactNode;
  value: string;
  suggest: Suggest;
  onChange: (text: string) => void;
  onBlur: () => void;
}

const PAUSE = 150;

export function SuggestField({ suggest, value, ...rest }: Props) {
  const [asked] = useDebouncedValue(value, PAUSE);
  const [open, setOpen] = useState(false);
  // Suggestions are a help: when they fail, nothing is said, and what is typed stays typed.
  const { data, isFetching } = useQuery({
    queryKey: ["suggestions", rest.id, asked],
    queryFn: ({ signal }) => suggest(asked, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
    enabled: open,
  });
  return (
    <Autocomplete
      {...rest}
      value={value}
      data={[...new Set(data)]}
      // The server has searched already, perhaps by more than the name.
      filter={({ options }) => options}
      limit={20}
      autoComplete="off"
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      {...(isFetching && { rightSection: <Loader size={14} aria-hidden="true" /> })}
    />
  );
}
