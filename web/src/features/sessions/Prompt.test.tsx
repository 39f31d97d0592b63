// @vitest-environment happy-dom
import { answering, asked } from "../../testing/server";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { SessionPrompt } from "../../api/sessions";
import { drawAt } from "../../testing/render";
import { Prompt } from "./Prompt";

const ANSWERS = "/v1/northwind/sessions/s/answers";
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const send = () => press("Send the answer");
const write = async (label: string | RegExp, text: string) => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text.replaceAll(/[{[]/g, "$&$&"));
};

beforeEach(() => localStorage.clear());

const call = { name: "pay", args: { amount: 3 }, description: "Pay Fjord Textiles" };
const review = { action_name: "pay", allowed_decisions: ["approve", "edit", "reject", "respond"] };
const old = { action_request: { action: "pay", args: { amount: 3 } }, config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true } };

/** What is asked, by what schema, what somebody does, and what is sent. */
const SHAPES: [shape: string, content: object, schema: object | null, act: () => Promise<unknown>, sent: unknown][] = [
  ["text", {}, null, () => write(/Answer/, "net 30").then(send), "net 30"],
  ["a choice", { options: ["net 14", "net 30"] }, { enum: ["net 14", "net 30"] }, () => userEvent.selectOptions(screen.getByLabelText(/Answer/), "net 30").then(send), "net 30"],
  ["a choice without a schema", { options: ["net 14", 30] }, null, () => press("30"), 30],
  ["several choices", {}, { type: "array", uniqueItems: true, items: { enum: ["a", "b"] } }, () => userEvent.click(screen.getByRole("checkbox", { name: "b" })).then(send), ["b"]],
  ["a number", {}, { type: "number" }, () => write(/Answer/, "12.5").then(send), 12.5],
  ["yes or no: yes", {}, { type: "boolean" }, () => press("Yes"), true],
  ["yes or no: no", {}, { type: "boolean" }, () => press("No"), false],
  ["a form", {}, { type: "object", required: ["terms"], properties: { terms: { type: "string" } } }, () => write(/Terms/, "net 30").then(send), { terms: "net 30" }],
  ["any JSON", { matrix: [[1]] }, null, () => write(/Answer/, "[1, {}]").then(send), [1, {}]],
  ["a call of a tool, approved", old, null, () => press("Approve"), [{ type: "accept", args: null }]],
  ["a call of a tool in a list, edited", { value: [old] }, null, () => press("Edit").then(() => write(/Arguments/, `{"amount": 4}`)).then(send), [{ type: "edit", args: { action: "pay", args: { amount: 4 } } }]],
  ["a call of a tool, responded to", old, null, () => press("Respond").then(() => write(/Answer/, "ask Ana")).then(send), [{ type: "response", args: "ask Ana" }]],
  ["the middleware's call, approved", { action_requests: [call], review_configs: [review] }, null, () => press("Approve"), { decisions: [{ type: "approve" }] }],
  ["the middleware's call, declined without a reason", { action_requests: [call], review_configs: [review] }, null, () => press("Decline").then(send), { decisions: [{ type: "reject" }] }],
  [
    "the middleware's calls, each in its own way", { action_requests: [call, call, { name: "mail", args: {} }], review_configs: [review] }, null,
    async () => {
      const [first, second, third] = screen.getAllByRole("combobox");
      if (!first || !second || !third) throw new Error("there are not three calls to decide");
      await userEvent.selectOptions(first, "Approve");
      await userEvent.selectOptions(second, "Edit");
      await write(/Arguments/, `{"amount": 4}`);
      await userEvent.selectOptions(third, "Decline");
      await write(/Reason/, "no mail");
      await send();
    },
    { decisions: [{ type: "approve" }, { type: "edit", edited_action: { name: "pay", args: { amount: 4 } } }, { type: "reject", message: "no mail" }] },
  ],
];

test.each(SHAPES)("%s is answered in its own shape", async (_, content, schema, act, sent) => {
  answering(ANSWERS, {});
  const prompt = { prompt_id: "p1", status: "open", content: { prompt: "Which terms?", ...content }, response_schema: schema, expires_at: null } as unknown as SessionPrompt;
  await drawAt("/", <Prompt session="s" prompt={prompt} />, ["sessions:write"]);
  await act();
  const given = () => asked.find(({ path }) => path === ANSWERS)?.body;
  await waitFor(() => expect(given()).toBeTruthy());
  expect(JSON.parse(given() ?? "")).toEqual({ answer: sent, prompt_id: "p1" });
});

test("whatever the shape, JSON is taken too", async () => {
  answering(ANSWERS, {});
  const prompt = { prompt_id: "p1", status: "open", content: { prompt: "?", ...old }, response_schema: null, expires_at: null } as unknown as SessionPrompt;
  await drawAt("/", <Prompt session="s" prompt={prompt} />, ["sessions:write"]);
  await press("Answer as JSON");
  await write(/Answer/, `{"mine": true}`);
  await send();
  await waitFor(() => expect(asked.find(({ path }) => path === ANSWERS)?.body).toContain(`"mine":true`));
});
