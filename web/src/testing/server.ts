/** Stands for the server in tests: says what it answers, keeps what it was asked. Import it before anything that fetches. */
import { afterEach } from "vitest";

type Answer = { status: number; body: unknown } | "unreachable";

const answers = new Map<string, Answer>();

export const asked: { method: string; path: string; authorization: string | null; body: string }[] = [];

// The client takes the browser's `fetch` when it is made, so it is replaced before that and for good.
globalThis.fetch = (input) => {
  const request = input as Request;
  const path = new URL(request.url, "http://console.test").pathname;
  const one = { method: request.method, path, authorization: request.headers.get("Authorization"), body: "" };
  asked.push(one);
  // The answer comes later than the question was read.
  void request.clone().text().then((text) => (one.body = text));
  const answer = answers.get(path) ?? { status: 404, body: { code: "not_found", detail: `nothing is at ${path}` } };
  if (answer === "unreachable") return Promise.reject(new TypeError("Failed to fetch"));
  const headers = { "Content-Type": "application/json" };
  return Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status, headers }));
};

export function answering(path: string, body: unknown, status = 200): void {
  answers.set(path, { status, body });
}

export function unreachable(path: string): void {
  answers.set(path, "unreachable");
}

afterEach(() => {
  answers.clear();
  asked.length = 0;
});
