// @vitest-environment happy-dom
import "../testing/server";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { RunSummary, Schedule, Token, User } from "../api/types";
import { asAna, draw, drawAt } from "../testing/render";
import { RunTable } from "./runs/RunTable";
import { ScheduleTable } from "./schedules/ScheduleTable";
import { TokenTable } from "./tokens/TokenTable";
import { UserTable } from "./users/UserTable";

const LONG_AGO = "2020-01-01T00:00:00Z";
const FAR_OFF = "2999-01-01T00:00:00Z";

const RUN = {
  ...{ id: "01a1eccb-8563-7029-862d-1be3e8049c69", type: "billing.charge.v1", status: "failed", priority: 0, attempt: 3 },
  ...{ max_attempts: 3, last_error: "ValueError: no amount", created_at: LONG_AGO, run_at: LONG_AGO, finished_at: LONG_AGO },
} as RunSummary;
const TOKEN = {
  ...{ token_id: "t1", user: "ben", name: "nightly", scopes: null, created_at: LONG_AGO, created_by: "user:ben" },
  ...{ expires_at: FAR_OFF, revoked_at: null, last_used_at: null },
} as Token;
const USER = {
  ...{ user_id: "u1", name: "ben", kind: "user", display_name: "Ben Okafor", email: null, created_at: LONG_AGO },
  ...{ deactivated_at: null, roles: [] },
} as unknown as User;
const SCHEDULE = {
  ...{ id: "s1", name: "nightly", type: "bank.import.v1", cron: "30 2 * * *", timezone: "Europe/Berlin", state: "active" },
  ...{ description: null, next_fire_at: FAR_OFF, last_fired_at: null, last_run_id: null },
} as unknown as Schedule;

/** On a narrow screen there are no column headings: each cell carries its own, and it must be the same. */
function expectCellsNamedAsTheirColumns() {
  const [head, ...rows] = screen.getAllByRole("row");
  if (!head) throw new Error("the table has no head");
  const columns = within(head).getAllByRole("columnheader").map((cell) => cell.textContent);
  let named = 0;
  for (const row of rows) {
    for (const [at, cell] of [...row.children].entries()) {
      const label = cell.getAttribute("data-label");
      if (label === null) continue;
      expect(label).toBe(columns[at]);
      named++;
    }
  }
  expect(named).toBeGreaterThan(0);
}

describe("runs", () => {
  test("are links to their own page, with what went wrong beneath", async () => {
    const { path } = await drawAt("/", <RunTable runs={[RUN]} />);
    expect(screen.getByText("ValueError: no amount")).toBeTruthy();
    expect(screen.getByText("3 of 3")).toBeTruthy();
    await userEvent.click(screen.getByRole("link", { name: "billing.charge.v1" }));
    expect(path()).toBe(`/runs/${RUN.id}`);
  });

  test("keep their columns' names as cards", async () => {
    await drawAt("/", <RunTable runs={[RUN, { ...RUN, id: "2", status: "pending", attempt: 0, finished_at: null }]} />);
    expectCellsNamedAsTheirColumns();
  });
});

describe("users", () => {
  test("are opened by keyboard, and by their name for the system", async () => {
    const open = vi.fn();
    draw(asAna(<UserTable users={[USER]} onOpen={open} />));
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Open ben" }));
    await userEvent.keyboard("{Enter}");
    expect(open).toHaveBeenCalledExactlyOnceWith("ben");
  });

  test("who are gone say so, and one finds oneself", () => {
    draw(asAna(<UserTable users={[{ ...USER, name: "ana" }, { ...USER, user_id: "u2", deactivated_at: LONG_AGO }]} onOpen={vi.fn()} />));
    const [, ana, ben] = screen.getAllByRole("row");
    expect(ana?.textContent).toContain("(you)");
    expect(ana?.textContent).not.toContain("deactivated");
    expect(ben?.textContent).toContain("deactivated");
  });
});

describe("tokens", () => {
  test("keep their columns' names as cards", () => {
    draw(asAna(<TokenTable tokens={[TOKEN]} />));
    expectCellsNamedAsTheirColumns();
  });

  test("that ended cannot be revoked once more", () => {
    const { redraw } = draw(asAna(<TokenTable tokens={[TOKEN]} />, ["tokens:write"]));
    expect(screen.getByRole("button", { name: /nightly/ })).toBeTruthy();
    redraw(asAna(<TokenTable tokens={[{ ...TOKEN, revoked_at: LONG_AGO }, { ...TOKEN, token_id: "t2", expires_at: LONG_AGO }]} />, ["tokens:write"]));
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("of others need a permission, one's own none; nothing is revoked without being asked", async () => {
    draw(asAna(<TokenTable tokens={[TOKEN, { ...TOKEN, token_id: "t2", user: "ana", name: "mine" }]} />));
    expect(screen.getByRole("button", { name: /nightly/ }).getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(screen.getByRole("button", { name: /nightly/ }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /mine/ }));
    expect(await screen.findByRole("dialog")).toBeTruthy();
  });
});

describe("schedules", () => {
  test("keep their columns' names as cards, and are opened by their name", async () => {
    const open = vi.fn();
    await drawAt("/", <ScheduleTable schedules={[SCHEDULE]} onOpen={open} />, ["schedules:write"]);
    expectCellsNamedAsTheirColumns();
    await userEvent.click(screen.getByRole("button", { name: "nightly" }));
    expect(open).toHaveBeenCalledExactlyOnceWith("nightly");
  });
});
