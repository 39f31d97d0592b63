// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { signedIn, SignedInProvider } from "../session/SignedIn";
import { draw } from "../testing/render";
import { TraceId } from "./TraceId";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const me = { tenant: "northwind", kind: "user" as const, name: "ana", roles: [], permissions: [] };
const drawFor = (trace_url: string | null, of: string) => draw(<SignedInProvider value={signedIn({ ...me, trace_url })}><TraceId of={of} /></SignedInProvider>);

test("a trace leads to where traces are looked at, by its own id", () => {
  drawFor("https://traces.example/trace/{trace}?from=holdfast", PARENT);
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://traces.example/trace/4bf92f3577b34da6a3ce929d0e0e4736?from=holdfast");
});

test("what is no traceparent is an id, and stays within its place in the address", () => {
  drawFor("https://traces.example/trace/{trace}", "order/7");
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://traces.example/trace/order%2F7");
});

test("where nobody says where traces are looked at, it is only told", () => {
  drawFor(null, PARENT);
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByText("4bf92f3577b34da6a3ce929d0e0e4736")).toBeTruthy();
});
