/** A canvas as large as asked for, over the whole window: what `bench/canvas.mjs` measures. */
import { useState } from "react";
import { graphOf } from "../src/canvas/graph";
import { largeWorkflow } from "../src/canvas/large.fixture";
import { LazyCanvas } from "../src/canvas/LazyCanvas";

export function LargeCanvas({ size }: { size: number }) {
  const [graph] = useState(() => graphOf(largeWorkflow(size)));
  const [open, setOpen] = useState<string | null>(null);
  return <LazyCanvas graph={graph} label={`${size} nodes`} selected={open} onOpen={setOpen} height="100dvh" />;
}
