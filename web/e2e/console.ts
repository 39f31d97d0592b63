/** What every browser test needs: the server's address and token, its interface, and a console that is signed in. */
import { test as base, expect, type Page } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import type { CreatedToken, NewUser, TokenRequest } from "../src/api/types";

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests with scripts/e2e.py`);
  return value;
}

export const TOKEN = required("E2E_TOKEN");
export const OPERATOR = required("E2E_OPERATOR");
export const TENANT = "northwind";

/** The server's interface without the console, to prepare what a test needs. */
export async function call<Answer>(method: string, path: string, body?: unknown, token = TOKEN, tries = 5): Promise<Answer> {
  const answer = await fetch(new URL(path, required("E2E_URL")), {
    method,
    // Whatever it is now: what is called here prepares, and looks at nothing before.
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "If-Match": "*" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status === 429 && tries > 1) {
    // As any client should: a machine that does other things too answers late, and a tenant has a share only.
    await new Promise((over) => setTimeout(over, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
    return call(method, path, body, token, tries - 1);
  }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export const addUser = (user: NewUser) => call("POST", `/v1/${TENANT}/users`, user);
export const createToken = (wanted: TokenRequest) => call<CreatedToken>("POST", `/v1/${TENANT}/tokens`, wanted);

/** A name nothing else has. */
export const fresh = (prefix: string) => `${prefix}-${crypto.randomUUID().slice(0, 8)}`;

export async function signIn(page: Page, path = "/", token = TOKEN): Promise<void> {
  await page.goto(`${path}#token=${token}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Fails a test in which the page threw, or in which the browser refused something of ours. */
export const test = base.extend<{ quiet: undefined }>({
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on("pageerror", (error) => said.push(error.message));
      page.on("console", (message) => {
        // The browser reports every answer that is no success; those that a test provokes are meant.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) said.push(message.text());
      });
      await use(undefined);
      expect(said).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** When the server answers again. */
export async function answering(): Promise<void> {
  const ready = () => fetch(new URL("/readyz", required("E2E_URL"))).then(({ ok }) => ok, () => false);
  await expect.poll(ready, { timeout: 25_000 }).toBe(true);
}

/** Ends the server's process; `holdfast up`, its parent, starts another at the same address. */
export function killServer(): void {
  const parent = required("E2E_PID");
  const server = readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const ppid = / [A-Z] (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
      return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("serve");
    } catch {
      return false;
    }
  });
  if (!server) throw new Error("the server's process was not found");
  process.kill(Number(server), "SIGKILL");
}
