/**
 * A part that comes after the page around it, for what nobody needs to see the page. Should it not come (no network, or the server
 * is another version by now), the page stays as it is and says so where the part would be.
 */
import { type ComponentType, lazy } from "react";
import { Problem } from "../api/problem";
import { ProblemAlert } from "./ProblemAlert";

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, missing: ComponentType = Missing) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: missing as ComponentType<Props> }),
    ),
  );
}

function Missing() {
  return <ProblemAlert error={new Problem({ code: "unreachable", status: 0 })} />;
}
