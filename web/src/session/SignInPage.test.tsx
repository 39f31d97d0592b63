// @vitest-environment happy-dom
import { answering, asked, unreachable } from "../testing/server";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { chooseLanguage } from "../i18n";
import { draw } from "../testing/render";
import { SignInPage } from "./SignInPage";
import { session } from "./store";

const TOKEN = `holdfast_${"0a".repeat(16)}_${"x".repeat(49)}`;
const ME = { tenant: "northwind", kind: "user", name: "ana", roles: ["admin"], permissions: [] };

const field = () => screen.getByLabelText("API token");
const paste = async (text: string) => {
  await userEvent.click(field());
  await userEvent.paste(text);
};
const signIn = () => userEvent.click(screen.getByRole("button", { name: "Sign in" }));

beforeEach(() => session.end(null));

describe("a token", () => {
  test("signs in once the server knows it, and is sent nowhere but in the header", async () => {
    answering("/v1/me", ME);
    draw(<SignInPage ending={null} />);
    await paste(TOKEN);
    await signIn();
    await waitFor(() => expect(session.get()).toEqual({ token: TOKEN, ending: null }));
    expect(asked).toEqual([{ method: "GET", path: "/v1/me", authorization: `Bearer ${TOKEN}` }]);
    expect(window.location.href).not.toContain("holdfast_");
  });

  test("is found in the address that the command line printed", async () => {
    answering("/v1/me", ME);
    draw(<SignInPage ending={null} />);
    await paste(` http://127.0.0.1:8400/#token=${TOKEN} `);
    await signIn();
    await waitFor(() => expect(session.get().token).toBe(TOKEN));
  });

  test("that is none is not sent, and the field says so until it is changed", async () => {
    draw(<SignInPage ending={null} />);
    await userEvent.type(field(), "holdfast_short");
    await signIn();
    expect(asked).toEqual([]);
    expect(field().getAttribute("aria-invalid")).toBe("true");
    const described = field().getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(described)?.textContent).toMatch(/does not look like a token/);
    await userEvent.type(field(), "x");
    expect(screen.queryByText(/does not look like a token/)).toBeNull();
  });

  test("that is refused is not kept, and stays in the field to be mended", async () => {
    answering("/v1/me", { code: "not_signed_in", detail: "no" }, 401);
    draw(<SignInPage ending={null} />);
    await paste(TOKEN);
    await signIn();
    expect((await screen.findByRole("alert")).textContent).toContain("This token is not valid");
    expect(session.get().token).toBeNull();
    expect(sessionStorage.length).toBe(0);
    expect(field()).toHaveProperty("value", TOKEN);
  });

  test("is hidden until somebody asks to see it", async () => {
    draw(<SignInPage ending={null} />);
    expect(field()).toHaveProperty("type", "password");
    await userEvent.click(screen.getByRole("button", { name: "Show the token" }));
    expect(field()).toHaveProperty("type", "text");
    await userEvent.click(screen.getByRole("button", { name: "Hide the token" }));
    expect(field()).toHaveProperty("type", "password");
  });
});

test("a server that does not answer is not mistaken for a bad token", async () => {
  unreachable("/v1/me");
  draw(<SignInPage ending={null} />);
  await paste(TOKEN);
  await signIn();
  const said = (await screen.findByRole("alert")).textContent;
  expect(said).toContain("The server does not answer");
  expect(said).not.toContain("not valid");
});

test("why somebody is here again is said", () => {
  const { redraw } = draw(<SignInPage ending="signed_out" />);
  expect(screen.getByText(/You are signed out/)).toBeTruthy();
  redraw(<SignInPage ending="refused" />);
  expect(screen.getByRole("alert").textContent).toContain("This token is not valid");
  redraw(<SignInPage ending={null} />);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("another language is fetched, spoken and remembered, and what was typed stays", async () => {
  draw(<SignInPage ending={null} />);
  await userEvent.type(field(), "holdfast_half");
  await userEvent.selectOptions(screen.getByLabelText("Language"), "Deutsch");
  expect(await screen.findByRole("heading", { level: 1, name: "Anmelden" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("de");
  expect(localStorage.getItem("holdfast.language")).toBe("de");
  expect(screen.getByLabelText("API-Token")).toHaveProperty("value", "holdfast_half");
  await chooseLanguage("en");
});
