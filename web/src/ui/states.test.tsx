// @vitest-environment happy-dom
import { asked, answering, unreachable } from "../testing/server";
import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { describe, expect, test, vi } from "vitest";
import { Problem } from "../api/problem";
import { readMe } from "../api/me";
import { asAna, draw } from "../testing/render";
import { ActionButton } from "./ActionButton";
import { later } from "./later";
import { Loaded } from "./Loaded";
import { Notice } from "./Notice";
import { Notices } from "./Notices";
import { done } from "./notify";
import { Page } from "./Page";

const ME = { tenant: "northwind", kind: "user", name: "ana", roles: [], permissions: [] };

function Who() {
  const query = useQuery({ queryKey: ["who"], queryFn: () => readMe() });
  return (
    <>
      <Loaded query={query} lines={4}>
        {(me) => <p>It is {me.name}.</p>}
      </Loaded>
      <button onClick={() => void query.refetch()}>renew</button>
    </>
  );
}

describe("what is loaded", () => {
  test("has a placeholder that is announced, and then takes its place", async () => {
    answering("/v1/me", ME);
    draw(<Who />);
    const placeholder = screen.getByRole("status", { name: "Loading …" });
    expect(placeholder.children).toHaveLength(4);
    expect(await screen.findByText("It is ana.")).toBeTruthy();
    expect(screen.queryByRole("status")).toBeNull();
  });

  test("says what went wrong, and is asked for again on demand", async () => {
    unreachable("/v1/me");
    draw(<Who />);
    expect((await screen.findByRole("alert")).textContent).toContain("The server does not answer");
    expect(screen.queryByRole("status")).toBeNull();
    answering("/v1/me", ME);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("It is ana.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(asked).toHaveLength(2);
  });

  test("stays on the screen when it cannot be renewed, with the reason above it", async () => {
    answering("/v1/me", ME);
    draw(<Who />);
    const shown = await screen.findByText("It is ana.");
    answering("/v1/me", { code: "database_unreachable", detail: "no answer" }, 503);
    await userEvent.click(screen.getByRole("button", { name: "renew" }));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The database does not answer");
    expect(shown.isConnected).toBe(true);
    expect(alert.compareDocumentPosition(shown) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});

describe("a page", () => {
  const page = (
    <Page title="Runs" intro="What works." needs="runs:read" actions={<button>Start</button>}>
      <p>all runs</p>
    </Page>
  );

  test("names itself to the reader and to the browser", () => {
    draw(asAna(page, ["runs:read"]));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Runs");
    expect(document.title).toBe("Runs · northwind · holdfast");
    expect(screen.getByRole("button", { name: "Start" })).toBeTruthy();
    expect(screen.getByText("all runs")).toBeTruthy();
  });

  test("that somebody may not see says which permission is missing, and shows and offers nothing", () => {
    draw(asAna(page, ["users:read"]));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Runs");
    expect(screen.getByText(/runs:read/)).toBeTruthy();
    expect(screen.queryByText("all runs")).toBeNull();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

test("a notice is one heading below the page's, unless it stands for the page, and carries the way on", () => {
  const { redraw } = draw(
    <Notice title="Nothing here" action={<a href="/new">Make one</a>}>
      It gets here by being made.
    </Notice>,
  );
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Nothing here");
  expect(screen.getByText("It gets here by being made.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Make one" })).toBeTruthy();
  redraw(<Notice title="No such page" order={1} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("No such page");
});

test("what somebody may not do stays in its place, does nothing, and says why to the keyboard too", async () => {
  const act = vi.fn();
  const button = (
    <ActionButton needs="runs:operate" onClick={act}>
      Cancel run
    </ActionButton>
  );
  const { redraw } = draw(asAna(button));
  await userEvent.tab();
  const refused = screen.getByRole("button", { name: "Cancel run" });
  expect(document.activeElement).toBe(refused);
  expect(refused.getAttribute("aria-disabled")).toBe("true");
  expect((await screen.findByRole("tooltip")).textContent).toContain("runs:operate");
  await userEvent.keyboard("{Enter}");
  await userEvent.click(refused);
  expect(act).not.toHaveBeenCalled();
  redraw(asAna(button, ["runs:operate"]));
  await userEvent.click(screen.getByRole("button", { name: "Cancel run" }));
  expect(act).toHaveBeenCalledOnce();
});

test("a part that does not come leaves the page around it as it is, and says so in its place", async () => {
  const Drawer = later<object>(() => Promise.reject(new Problem({ code: "unreachable", status: 0 })));
  draw(
    <>
      <p>the page</p>
      <Suspense fallback={null}>
        <Drawer />
      </Suspense>
    </>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("The server does not answer");
  expect(screen.getByText("the page")).toBeTruthy();
});

test("what was done is said even when it is the first word, before the notices are loaded", async () => {
  draw(<Notices />);
  done("Saved");
  const said = await screen.findByText("Saved");
  expect(said.closest("[role=status]")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText("Saved")).toBeNull());
});
