import { AxeBuilder } from "@axe-core/playwright";
import { call, createToken, expect, fresh, OPERATOR, signIn, TENANT, test, TOKEN } from "./console";
import { Shell } from "./pages/shell";
import { TokensPage } from "./pages/tokens";
import { UsersPage } from "./pages/users";
import type { User } from "../src/api/types";

const read = (name: string) => call<User>("GET", `/v1/${TENANT}/users/${name}`);

test("a user is added, found, given a role, changed, deactivated and reactivated", async ({ page }) => {
  const name = fresh("ivo");
  const users = new UsersPage(page);
  await signIn(page, "/users");
  await users.add(name, "Ivo Sørensen");
  await users.role(name, "approver").click();
  await expect(users.role(name, "approver")).toBeChecked();
  await expect.poll(async () => (await read(name)).roles).toEqual(["approver"]);

  await users.drawer(name).getByLabel("E-mail").fill("ivo@northwind.example");
  await users.drawer(name).getByRole("button", { name: "Save" }).click();
  await expect(users.drawer(name).getByText("Saved", { exact: true })).toBeVisible();

  await users.drawer(name).getByRole("button", { name: "Deactivate" }).click();
  const ask = page.getByRole("dialog", { name: `Deactivate ${name}?` });
  await ask.getByRole("button", { name: "Deactivate" }).click();
  await expect(users.drawer(name).getByText("deactivated", { exact: true }).first()).toBeVisible();
  await users.drawer(name).getByRole("button", { name: "Reactivate" }).click();
  await page.getByRole("dialog", { name: `Reactivate ${name}?` }).getByRole("button", { name: "Reactivate" }).click();
  await expect.poll(async () => (await read(name)).deactivated_at).toBeNull();

  await users.role(name, "approver").click();
  await expect.poll(async () => (await read(name)).roles).toEqual([]);
  await users.drawer(name).getByRole("button", { name: "Close" }).click();
  await users.search("sorensen");
  await expect(users.row(name)).toContainText("ivo@northwind.example");
  await users.search("nobody at all");
  await expect(page.getByText("Nobody matches")).toBeVisible();
});

test("a name that is taken is refused at its field, and nothing else is lost", async ({ page }) => {
  const users = new UsersPage(page);
  await signIn(page, "/users");
  await users.add("ana", "Another Ana");
  const form = page.getByRole("dialog", { name: "Add user" });
  await expect(form.getByText("there is already a user 'ana'")).toBeVisible();
  await expect(form.getByLabel("Display name")).toHaveValue("Another Ana");
});

test("the last administrator keeps the role, and the console takes its tick back", async ({ page }) => {
  const users = new UsersPage(page);
  await signIn(page, "/users?user=ana");
  await users.role("ana", "admin").click();
  await expect(page.getByRole("alert")).toContainText("last administrator");
  await expect(users.role("ana", "admin")).toBeChecked();
});

test("a role is defined, changed and deleted", async ({ page }) => {
  const name = fresh("auditor");
  await signIn(page, "/roles");
  await page.getByRole("button", { name: "Define role" }).click();
  const form = page.getByRole("dialog", { name: "Define role" });
  await form.getByLabel("Role name").fill(name);
  await form.getByRole("button", { name: "Define role" }).click();
  await expect(form.getByText("Choose at least one permission.")).toBeVisible();
  await form.getByRole("checkbox", { name: "audit:read", exact: true }).check();
  await form.getByRole("checkbox", { name: "Tenant", exact: true }).check();
  await form.getByRole("button", { name: "Define role" }).click();
  await expect(page.getByRole("columnheader", { name })).toBeVisible();

  await page.getByRole("button", { name: `Open the role ${name}` }).click();
  const edit = page.getByRole("dialog", { name: `Change ${name}` });
  await edit.getByRole("checkbox", { name: "tenant:write", exact: true }).uncheck();
  await edit.getByRole("button", { name: "Save" }).click();
  const card = page.getByRole("button", { name: `Open the role ${name}` });
  await expect(card).toContainText("2 of");
  await card.click();
  await edit.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: `Delete the role ${name}?` }).getByRole("button", { name: "Delete" }).click();
  await expect(card).toBeHidden();
});

test("a token's secret is shown once and nowhere again; revoking ends it", async ({ page }) => {
  const name = fresh("deploy");
  const tokens = new TokensPage(page);
  await signIn(page, "/tokens");
  await tokens.create(name, ["runs:read", "runs:write"]);
  const secret = (await tokens.secret().getByRole("status").textContent()) ?? "";
  expect(secret).toMatch(/^holdfast_[0-9a-f]{32}_[0-9A-Za-z]{49}$/);
  await expect(tokens.secret()).toContainText("You will not see it again");
  await page.keyboard.press("Escape");
  await expect(tokens.secret()).toBeVisible();
  const me = await call<{ permissions: string[] }>("GET", "/v1/me", undefined, secret);
  expect(me.permissions).toEqual(["runs:read", "runs:write"]);

  await tokens.secret().getByRole("button", { name: "I have stored it" }).click();
  await expect(tokens.row(name)).toContainText("2 permissions");
  await page.reload();
  await expect(tokens.row(name)).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await tokens.revoke(name);
  await expect(tokens.row(name)).toBeHidden();
  await tokens.show("Ended");
  await expect(tokens.row(name)).toContainText("revoked");
  await expect(call("GET", "/v1/me", undefined, secret)).rejects.toThrow("401");
});

test("a session whose token is revoked ends with the reason", async ({ page }) => {
  const made = await createToken({ name: fresh("short"), user: "ana" });
  await signIn(page, "/audit", made.secret);
  await call("DELETE", `/v1/${TENANT}/tokens/${made.token.token_id}`);
  // The page asks again by itself; when it hears of it first, the button is gone before it can be clicked.
  await page
    .getByRole("button", { name: "Verify now" })
    .click({ timeout: 5_000 })
    .catch(() => undefined);
  await expect(page.getByRole("alert")).toContainText("This token is not valid");
});

test("a viewer sees what a viewer may, and is told why the rest is not theirs", async ({ page }) => {
  // Nobody makes a token that acts as somebody else; the demo switches.
  const { secret } = await call<{ secret: string }>("POST", "/v1/demo/sign-in", { user: "vera" });
  await signIn(page, "/", secret);
  await expect(page.getByRole("link", { name: "Audit trail" })).toBeHidden();
  await page.goto("/audit");
  await expect(page.getByText(/audit:read/)).toBeVisible();

  await new Shell(page).go("Users");
  const add = page.getByRole("button", { name: "Add user" });
  await expect(add).toHaveAttribute("aria-disabled", "true");
  // The help of the page comes first.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(add).toBeFocused();
  await expect(page.getByRole("tooltip")).toContainText("users:write");
  await new UsersPage(page).open("ben");
  await expect(new UsersPage(page).role("ben", "admin")).toBeDisabled();

  await page.goto("/audit");
  await expect(page.getByText("This page is not for you yet")).toBeVisible();
  await page.goto("/tokens");
  await expect(page.getByText("You see your own tokens.")).toBeVisible();
  await expect(new TokensPage(page).row("switched to by ana")).toBeVisible();
  await page.goto("/settings");
  await expect(page.getByLabel("Tenant name")).toHaveAttribute("readonly");
});

test("the operator of the installation sees every tenant and adds one, and is nobody of any", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Operator of the installation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Installation");
  await page.getByLabel("Token of the operator").fill(TOKEN);
  await page.getByRole("button", { name: "Open" }).click();
  // A tenant's own token opens nothing of it.
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByLabel("Token of the operator").fill(OPERATOR);
  await page.getByRole("button", { name: "Open" }).click();
  const tenants = page.getByRole("region", { name: "Tenants" });
  await expect(tenants.getByRole("row").filter({ hasText: "northwind" })).toContainText("Effects");
  const slug = fresh("branch");
  await tenants.getByLabel("Short name, for addresses").fill("No Such Name!");
  await tenants.getByRole("button", { name: "Add a tenant" }).click();
  await expect(tenants.getByLabel("Short name, for addresses")).toHaveAttribute("aria-invalid", "true");
  await tenants.getByLabel("Short name, for addresses").fill(slug);
  await tenants.getByLabel("Name", { exact: true }).fill("A branch");
  await tenants.getByRole("button", { name: "Add a tenant" }).click();
  await expect(page.getByText("The tenant is added.")).toBeVisible();
  await expect(tenants.getByRole("row").filter({ hasText: slug })).toContainText("A branch");
  await expect(page.getByRole("region", { name: "Definitions of sessions" })).toContainText("supplier-onboarding");
  expect((await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => window.innerWidth - document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(0);
  // The token stays in the page alone: who comes back is asked again.
  await page.reload();
  await expect(page.getByLabel("Token of the operator")).toBeVisible();
});
