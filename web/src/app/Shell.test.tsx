// @vitest-environment happy-dom
import { answering } from "../testing/server";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { session } from "../session/store";
import { drawAt } from "../testing/render";
import { Shell } from "./Shell";

beforeEach(() => {
  answering("/v1/northwind", { name: "Northwind Traders", slug: "northwind" });
  session.start("hf_test");
});

const menu = () => screen.getByRole("navigation", { name: "Main" });
const places = () => within(menu()).getAllByRole("link").map((link) => link.textContent);
const account = () => screen.getByRole("button", { name: "Account of ana" });

describe("the menu", () => {
  test("lists what somebody may see, and no heading over nothing", async () => {
    await drawAt("/", <Shell />, ["runs:read"]);
    expect(places()).toEqual(["Home", "Inbox", "Health", "Runs", "Tokens"]);
    expect(within(menu()).queryByText("Record")).toBeNull();
  });

  test("marks the page one is on, and one page only", async () => {
    await drawAt("/runs", <Shell />, ["runs:read", "users:read"]);
    const current = () => within(menu()).getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
    expect(current().map((link) => link.textContent)).toEqual(["Runs"]);
    await userEvent.click(within(menu()).getByRole("link", { name: "Users" }));
    await waitFor(() => expect(current().map((link) => link.textContent)).toEqual(["Users"]));
  });

  test("goes to the page, closes behind one, and the page is where reading goes on", async () => {
    const { path } = await drawAt("/", <Shell />, ["runs:read"]);
    const button = screen.getByRole("button", { name: "Open the menu" });
    expect(button.getAttribute("aria-expanded")).toBe("false");
    await userEvent.click(button);
    expect(screen.getByRole("button", { name: "Close the menu" }).getAttribute("aria-expanded")).toBe("true");
    expect(document.activeElement).not.toBe(screen.getByRole("main"));
    await userEvent.click(within(menu()).getByRole("link", { name: "Runs" }));
    expect(path()).toBe("/runs");
    expect(await screen.findByRole("heading", { level: 1, name: "/runs" })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("main"));
    expect(screen.getByRole("button", { name: "Open the menu" }).getAttribute("aria-expanded")).toBe("false");
  });

  test("can be skipped by keyboard", async () => {
    await drawAt("/", <Shell />);
    await userEvent.tab();
    const skip = screen.getByRole("link", { name: "Skip to the content" });
    expect(document.activeElement).toBe(skip);
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement).toBe(screen.getByRole("main"));
  });
});

describe("the account", () => {
  const panel = () => screen.findByRole("dialog", { name: "Account of ana" });

  test("opens with the focus inside, and Escape gives the focus back", async () => {
    await drawAt("/", <Shell />);
    account().focus();
    await userEvent.keyboard("{Enter}");
    const opened = await panel();
    expect(account().getAttribute("aria-expanded")).toBe("true");
    await within(opened).findByRole("button", { name: "Sign out" });
    await waitFor(() => expect(opened.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(account());
  });

  test("closes when somebody turns to something else", async () => {
    await drawAt("/", <Shell />);
    await userEvent.click(account());
    await panel();
    await userEvent.click(screen.getByRole("main"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("signs out and forgets the token", async () => {
    await drawAt("/", <Shell />);
    await userEvent.click(account());
    await userEvent.click(await within(await panel()).findByRole("button", { name: "Sign out" }));
    expect(session.get()).toEqual({ token: null, ending: "signed_out" });
    expect(sessionStorage.length).toBe(0);
  });
});
