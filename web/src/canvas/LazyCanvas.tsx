/** The canvas, loaded when it is first looked at: whoever only decides approvals never pays for it. */
import { Skeleton } from "@mantine/core";
import { type ComponentProps, Suspense } from "react";
import { later } from "../ui/later";
import type { Canvas as Drawn } from "./Canvas";

const Canvas = later(() => import("./Canvas").then((module) => module.Canvas));

export function LazyCanvas(props: ComponentProps<typeof Drawn>) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 420} radius="md" />}>
      <Canvas {...props} />
    </Suspense>
  );
}
