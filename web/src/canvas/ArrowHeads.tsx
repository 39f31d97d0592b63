/** The heads of all arrows, defined once. */
export function ArrowHeads() {
  return (
    <svg width={0} height={0} style={{ position: "absolute" }} aria-hidden="true">
      <defs>
        {(["hf-arrow", "hf-arrow-taken"] as const).map((id) => (
          <marker key={id} id={id} viewBox="0 0 10 10" refX={9} refY={5} markerUnits="userSpaceOnUse" markerWidth={10} markerHeight={10} orient="auto-start-reverse">
            <path d="M1,1 L9,5 L1,9" fill="none" stroke={id === "hf-arrow" ? "var(--canvas-line)" : "var(--mark)"} strokeWidth={1.6} strokeLinecap="round" strokeLinejoin="round" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
