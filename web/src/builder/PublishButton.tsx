/** Publishing: refused with the reason while something is wrong; else it shows what changes, and asks once. */
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Definition } from "../api/types";
import { ActionButton } from "../ui/ActionButton";
import { later } from "../ui/later";
import { firstLine } from "./ProblemList";
import type { PlacedProblem } from "./model/problems";
import type { Draft } from "./useDraft";

const AskPublish = later(() => import("./AskPublish").then((module) => module.AskPublish));

interface Props {
  definition: Definition;
  draft: Draft;
  errors: readonly PlacedProblem[];
  inForceId: string | undefined;
}

export function PublishButton({ definition, draft, errors, inForceId }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ActionButton
        needs="processes:design"
        size="xs"
        refusal={errors.length > 0 ? `${t("builder.publish_refused", { count: errors.length })}: ${listed(errors)}` : draft.saving === "overtaken" ? t("builder.overtaken") : undefined}
        onClick={() => void draft.settle().then((saved) => saved !== null && setOpened(true))}
      >
        {t("builder.publish")}
      </ActionButton>
      <Suspense fallback={null}>{opened && <AskPublish definition={definition} revision={draft.revision} inForceId={inForceId} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}

/** The first few in words; the whole list stands below the drawing. */
const LISTED = 3;
const listed = (problems: readonly PlacedProblem[]): string => problems.slice(0, LISTED).map(({ message }) => firstLine(message)).join("; ") + (problems.length > LISTED ? " …" : "");
