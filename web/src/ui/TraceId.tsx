/** The id of a trace: where the installation says where traces are looked at, it leads there. */
import { Anchor } from "@mantine/core";
import { useSignedIn } from "../session/SignedIn";

/** A `traceparent` holds the trace's id in its second place; what is none is an id itself. */
export function traceOf(given: string): string {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(given)?.[1] ?? given;
}

export function TraceId({ of }: { of: string }) {
  const { me } = useSignedIn();
  const trace = traceOf(of);
  const id = <code>{trace}</code>;
  if (!me.trace_url) return id;
  return (
    <Anchor href={me.trace_url.replace("{trace}", encodeURIComponent(trace))} target="_blank" rel="noreferrer">
      {id}
    </Anchor>
  );
}
