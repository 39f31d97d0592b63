/**
 * Moving keys and links as JSON Lines. An export is whole when its last line says how many there are and that many came; anything
 * else is broken, and no file is made of it. Numbers keep every digit: a line is only read where its namespace is to be another.
 */
import { isObject, type Json, parse, stringify } from "../../json/json";

export class BrokenExport extends Error {
  constructor(readonly lines: number) {
    super("the export ended before its last line");
  }
}

export interface Exported {
  parts: Uint8Array<ArrayBuffer>[];
  lines: number;
}

const LINE_FEED = 10;

/** Reads a whole export, telling how many lines came; throws `BrokenExport` when it is cut. */
export async function readExport(body: ReadableStream<Uint8Array<ArrayBuffer>>, tell: (lines: number) => void): Promise<Exported> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      parts.push(value);
      for (const byte of value) if (byte === LINE_FEED) lines += 1;
      tell(lines);
    }
  } catch {
    throw new BrokenExport(lines);
  }
  // The first and the last line are no key and no link.
  if (promised(await lastLine(parts)) !== lines - 2) throw new BrokenExport(lines);
  return { parts, lines: lines - 2 };
}

async function lastLine(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const text = await new Blob(parts.slice(-2)).text();
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** How many keys and links the last line says there are; null when it is no such line. */
function promised(line: string): number | null {
  const end = read(line);
  if (!isObject(end) || end.kind !== "end" || typeof end.keys !== "number" || typeof end.links !== "number") return null;
  return end.keys + end.links;
}

function read(line: string): Json | undefined {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

const AT_ONCE = 500;

/** The lines with another namespace; what is no line of ours stays as it is, for the server to refuse. */
export async function intoNamespace(text: string, namespace: string, pause = () => new Promise<void>((next) => setTimeout(next))): Promise<string> {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    if (at % AT_ONCE === AT_ONCE - 1) await pause();
    const line = read(lines[at] ?? "");
    if (isObject(line) && typeof line.namespace === "string") lines[at] = stringify({ ...line, namespace });
  }
  return lines.join("\n");
}
