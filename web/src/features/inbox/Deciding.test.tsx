// @vitest-environment happy-dom
import { answering, asked } from "../../testing/server";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { InboxItem, RequestDetail } from "../../api/types";
import { drawAt } from "../../testing/render";
import { Deciding } from "./Deciding";
import { Overtaken } from "./Overtaken";

const item = { id: "r1", title: "Invoice I-1", how: "role", seat: "ana", entity_version: 1, document_id: "d1", kind: "approval" } as unknown as InboxItem;
const detail = { request: { id: "r1", claimed_by: null, may_delegate: true, content_hash: "h1" }, assignees: [], decisions: [] } as unknown as RequestDetail;
const DECISIONS = "/v1/northwind/approvals/r1/decisions";

beforeEach(() => localStorage.clear());

async function drawn() {
  const [onDecided, onOvertaken] = [vi.fn(), vi.fn()];
  const drawing = await drawAt("/", <Deciding item={item} detail={detail} onOvertaken={onOvertaken} onDecided={onDecided} />);
  return { onDecided, onOvertaken, ...drawing };
}

const sent = () => asked.filter(({ path }) => path === DECISIONS);

test("a rejection without a reason is not sent, and says what is missing", async () => {
  const { onDecided } = await drawn();
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  expect(screen.getByText(/Say why/)).toBeTruthy();
  expect(sent()).toEqual([]);
  expect(onDecided).not.toHaveBeenCalled();
});

test("what was typed is there again after the page was left", async () => {
  const first = await drawn();
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Reason" }), "no cost centre");
  first.unmount();
  await drawn();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Reason" }).value).toBe("no cost centre");
});

test("nothing is said to be decided before the server says so", async () => {
  answering(DECISIONS, { request_id: "r1", decision_id: "x", status: "approved", outcome: "approved" });
  const { onDecided } = await drawn();
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(onDecided).toHaveBeenCalledWith(item, "Approved: Invoice I-1"));
  expect(sent()).toHaveLength(1);
});

test("when somebody was faster, nothing is decided, and whoever shows what changed is told", async () => {
  answering(DECISIONS, { code: "WORKFLOW_STALE_APPROVAL", detail: "the document was changed" }, 409);
  const { onDecided, onOvertaken } = await drawn();
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(onOvertaken).toHaveBeenCalledWith("the document was changed"));
  expect(onDecided).not.toHaveBeenCalled();
});

test("what was changed meanwhile is told field by field, by whom, from the amendment that replaced it too", async () => {
  const changed = { updated_by: "user:chloe", updated_at: "2026-06-01T10:00:00Z" };
  answering("/v1/northwind/documents/d1", { id: "d1", data: { total: 12500 }, amended_to_id: "d2", ...changed });
  answering("/v1/northwind/documents/d2", { id: "d2", data: { total: 14000 }, amended_to_id: null, ...changed });
  const seen = { id: "d1", version: 1, data: { total: 12500 } };
  await drawAt("/", <Overtaken seen={seen} contract={undefined} title="Nothing was decided" detail="closed" />, ["documents:read"]);
  const told = await screen.findByRole("alert");
  await waitFor(() => expect(told.textContent).toContain("14,000"));
  expect(told.textContent).toContain("12,500");
  expect(told.textContent).toContain("chloe");
});
