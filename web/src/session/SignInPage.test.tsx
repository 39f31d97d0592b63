// @vitest-environment happy-dom
import { answering, asked, unreachable } from "../testing/server";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { chooseLanguage } from "../i18n";
import { draw } from "../testing/render";
import { SignInPage } from "./SignInPage";
import { session, takeTokenFromAddress } from "./store";
import { COOKIE } from "./token";

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
    expect(asked.filter(({ authorization }) => authorization !== null)).toEqual([
      { method: "GET", path: "/v1/me", authorization: `Bearer ${TOKEN}`, body: "" },
    ]);
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
    expect(asked.filter(({ path }) => path !== "/auth/methods")).toEqual([]);
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

describe("the ways that the server has", () => {
  const ways = { openid: null as string | null, mail: false, signed_in: false };

  test("a provider is offered by its name, and leads back to the page that was asked for", async () => {
    answering("/auth/methods", { ...ways, openid: "Acme Login" });
    window.history.replaceState(null, "", "/inbox?which=open");
    draw(<SignInPage ending={null} />);
    const link = await screen.findByRole("link", { name: "Sign in with Acme Login" });
    expect(link.getAttribute("href")).toBe("/auth/oidc?to=%2Finbox%3Fwhich%3Dopen");
    expect(screen.queryByRole("button", { name: /by mail/ })).toBeNull();
    window.history.replaceState(null, "", "/");
  });

  test("a browser that is signed in already needs nothing more", async () => {
    answering("/auth/methods", { ...ways, openid: "Acme Login", signed_in: true });
    draw(<SignInPage ending={null} />);
    await waitFor(() => expect(session.get().token).toBe(COOKIE));
  });

  test("a link is asked for with organisation and address, and nobody is told whether there is such a person", async () => {
    answering("/auth/methods", { ...ways, mail: true });
    answering("/auth/mail", null, 202);
    draw(<SignInPage ending={null} />);
    await userEvent.click(await screen.findByRole("button", { name: /by mail/ }));
    await userEvent.type(await screen.findByLabelText(/Organisation/), "acme");
    await userEvent.type(screen.getByLabelText(/E-mail address/), "ana@acme.test");
    await userEvent.click(screen.getByRole("button", { name: "Send the link" }));
    expect((await screen.findByRole("status")).textContent).toContain("If somebody here has the address ana@acme.test");
  });

  test("a mailed link waits for a click, and is no longer in the address", async () => {
    answering("/auth/methods", ways);
    answering("/auth/mail/confirm", {});
    window.location.hash = `#sign-in=${TOKEN}`;
    takeTokenFromAddress();
    expect(window.location.href).not.toContain("holdfast_");
    expect(session.get()).toEqual({ token: null, ending: null, link: TOKEN });
    draw(<SignInPage ending={null} link={TOKEN} />);
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(session.get().token).toBe(COOKIE));
  });

  test("a link that is used up says so", async () => {
    answering("/auth/mail/confirm", { code: "not_signed_in", detail: "no" }, 401);
    draw(<SignInPage ending={null} link={TOKEN} />);
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect((await screen.findByRole("alert")).textContent).toContain("This link is used up");
  });

  test("a sign-in that failed, or has ended, is told", () => {
    window.location.hash = "#sign-in-failed";
    takeTokenFromAddress();
    expect(session.get()).toMatchObject({ token: null, ending: "failed" });
    const { redraw } = draw(<SignInPage ending="failed" />);
    expect(screen.getByRole("alert").textContent).toContain("could not be signed in");
    redraw(<SignInPage ending="over" />);
    expect(screen.getByRole("alert").textContent).toContain("has ended");
  });
});
