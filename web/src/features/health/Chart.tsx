/** Lines over time. What it shows is also in the table beside it: the drawing itself is one picture with a name. */
import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { formats } from "../../i18n/formats";

export interface Line {
  label: string;
  color: string;
  values: readonly (number | null)[];
}

interface Props {
  label: string;
  /** In seconds since 1970. */
  at: readonly number[];
  lines: readonly Line[];
}

const HEIGHT = 190;

export function Chart({ label, at, lines }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const key = JSON.stringify([at, lines]);
  useEffect(() => {
    const frame = box.current;
    if (!frame) return;
    const style = getComputedStyle(frame);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--mantine-color-dimmed"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 }, font: "12px 'IBM Plex Sans Variable', sans-serif" };
    const plot = new uPlot(
      {
        width: Math.max(200, frame.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
        axes: [{ ...axis, values: (_plot, ticks) => ticks.map((tick) => new Date(tick * 1000).toLocaleTimeString(formats(), { timeStyle: "short" })) }, { ...axis, size: 52, values: (_plot, ticks) => ticks.map((tick) => tick.toLocaleString(formats())) }],
        series: [{}, ...lines.map(({ label: name, color, values }) => ({ label: name, stroke: colour(color), width: 2, points: { show: values.filter((value) => value !== null).length < 2 }, spanGaps: true }))],
      },
      [[...at], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData,
      frame,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: Math.max(200, frame.clientWidth), height: HEIGHT }));
    watch.observe(frame);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- drawn anew when what is drawn, or the ground beneath it, is another
  }, [key, scheme]);
  return <div ref={box} role="img" aria-label={label} style={{ minWidth: 0, height: HEIGHT, overflow: "hidden" }} />;
}
