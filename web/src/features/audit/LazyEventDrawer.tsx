/** The drawer of an event, fetched when the list that opens it is drawn: the list itself does not wait for it. */
import { type ComponentProps, Suspense } from "react";
import { later } from "../../ui/later";
import type { EventDrawer } from "./EventDrawer";

const Drawn = later(() => import("./EventDrawer").then((module) => module.EventDrawer));

export function LazyEventDrawer(props: ComponentProps<typeof EventDrawer>) {
  return (
    <Suspense fallback={null}>
      <Drawn {...props} />
    </Suspense>
  );
}
