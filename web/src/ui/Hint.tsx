/**
 * What is said of something while it is pointed at, touched or focused. The drawing of it, with all that finds the place for it, is loaded
 * when the first one is wanted: no page waits for it.
 */
import { cloneElement, type ReactElement, type RefAttributes, Suspense, useId, useState } from "react";
import { later } from "./later";

const Tooltip = later(() => import("./HintTooltip").then((module) => module.Tooltip), () => null);

interface Child extends RefAttributes<HTMLElement> {
  onPointerEnter?: () => void;
  onPointerLeave?: () => void;
  onFocus?: () => void;
  onBlur?: () => void;
  onKeyDown?: (event: { key: string }) => void;
  "aria-describedby"?: string;
}

interface Props {
  label: string;
  /** The text is read out with the thing itself; not for what the thing says already in other words. */
  described?: boolean;
  children: ReactElement<Child>;
}

export function Hint({ label, described = false, children }: Props) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const show = () => {
    setWanted(true);
    setOpened(true);
  };
  const hide = () => setOpened(false);
  return (
    <>
      {cloneElement(children, {
        ref: setTarget,
        onPointerEnter: show,
        onPointerLeave: hide,
        onFocus: show,
        onBlur: hide,
        onKeyDown: ({ key }) => key === "Escape" && hide(),
        ...(described && { "aria-describedby": id }),
      })}
      {described && (
        <span id={id} hidden>
          {label}
        </span>
      )}
      {wanted && target && (
        <Suspense fallback={null}>
          <Tooltip label={label} target={target} opened={opened} />
        </Suspense>
      )}
    </>
  );
}
