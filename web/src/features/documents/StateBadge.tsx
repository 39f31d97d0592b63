/** The state of a document in one word, coloured only where it matters. */
import { Badge } from "@mantine/core";
import { type Contract, stateTitle } from "./contract";

/** Colour by what may still happen: in work, on its way, in force, over. */
export function StateBadge({ contract, status }: { contract: Contract | undefined; status: string }) {
  const state = contract?.states.find(({ name }) => name === status);
  const leaves = contract?.transitions.some((each) => each.kind === "forward" && each.from.includes(status)) ?? true;
  const reached = contract?.transitions.some((each) => each.kind === "forward" && each.to === status) ?? true;
  const color = state?.initial ? "slate" : leaves ? "ochre" : reached ? "kelp" : "slate";
  return <Badge color={color}>{stateTitle(contract, status)}</Badge>;
}
