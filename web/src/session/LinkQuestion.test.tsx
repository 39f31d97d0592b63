// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { draw } from "../testing/render";
import { LinkQuestion } from "./LinkQuestion";
import { signedIn, SignedInProvider } from "./SignedIn";
import { session, takeTokenFromAddress } from "./store";

const ME = { tenant: "northwind", kind: "user" as const, name: "ana", roles: ["admin"], permissions: [] };

const open = (token: string) => {
  window.location.hash = `#token=${token}`;
  takeTokenFromAddress();
};

beforeEach(() => session.end(null));

test("a link signs in who is nobody yet", () => {
  open("holdfast_first");
  expect(session.get()).toEqual({ token: "holdfast_first", ending: null });
});

test("a link does not silently take the place of who is signed in", async () => {
  session.start("holdfast_first");
  open("holdfast_second");
  expect(session.get()).toMatchObject({ token: "holdfast_first", offered: "holdfast_second" });
  expect(window.location.href).not.toContain("token");
  draw(
    <SignedInProvider value={signedIn(ME)}>
      <LinkQuestion offered="holdfast_second" />
    </SignedInProvider>,
  );
  expect(await screen.findByText(/You are signed in as ana/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Use the link" }));
  expect(session.get()).toEqual({ token: "holdfast_second", ending: null });
});

test("whoever says no stays who they are; an empty link ends nobody's session", () => {
  session.start("holdfast_first");
  open("holdfast_second");
  session.decline();
  open("");
  open("holdfast_first");
  expect(session.get()).toEqual({ token: "holdfast_first", ending: null });
});
