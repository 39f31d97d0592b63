/** What the compiler says, each with what to do about it. */
import { Stack, Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCodeWords } from "../i18n/useCodeWords";
import { sentenceCase } from "../ui/sentenceCase";
import classes from "./Builder.module.css";
import type { PlacedProblem } from "./model/problems";

/** Below the first line a message may show the place with a caret, which only the field can do. */
export const firstLine = (message: string): string => message.split("\n")[0]?.trim() ?? message;

interface Props {
  problems: readonly PlacedProblem[];
  onOpen?: (problem: PlacedProblem) => void;
}

export function ProblemList({ problems, onOpen }: Props) {
  const { t } = useTranslation();
  const words = useCodeWords();
  if (problems.length === 0) return null;
  return (
    <Stack gap={6} role="list" aria-label={t("builder.problems")}>
      {problems.map((problem) => {
        const own = words(`compile.${problem.code.replaceAll(".", "_")}`);
        const said = (
          <>
            <span lang={own ? undefined : "en"}>{own ?? sentenceCase(firstLine(problem.message))}</span>
            {problem.hint !== "" && (
              <Text size="xs" c="dimmed" component="span" lang="en">
                {problem.hint}
              </Text>
            )}
          </>
        );
        return (
          <div key={`${problem.path}${problem.code}${problem.message}`} role="listitem">
            {onOpen ? (
              <UnstyledButton className={classes.problem} data-severity={problem.severity} onClick={() => onOpen(problem)}>
                {said}
              </UnstyledButton>
            ) : (
              <div className={classes.problem} data-severity={problem.severity}>
                {said}
              </div>
            )}
          </div>
        );
      })}
    </Stack>
  );
}
