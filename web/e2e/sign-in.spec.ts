import { expect, signIn, test, TOKEN } from "./console";
import { Shell } from "./pages/shell";

const UNKNOWN = `holdfast_${"0".repeat(32)}_${"a".repeat(49)}`;

test("a sign-in address signs in and leaves no token in the address or the history", async ({ page }) => {
  await page.goto("/healthz");
  await signIn(page, "/users");
  await expect(page).toHaveURL(/\/users$/);
  await expect(new Shell(page).account()).toContainText("ana");
  await page.reload();
  await expect(new Shell(page).heading()).toHaveText("Users");
  await page.goBack();
  await page.goForward();
  expect(page.url()).not.toContain("token");
});

test("a pasted token signs in on the page that was asked for; signing out forgets it", async ({ page }) => {
  await page.goto("/roles");
  await page.getByRole("textbox", { name: "API token" }).fill(`  ${TOKEN}\n`);
  await page.keyboard.press("Enter");
  const shell = new Shell(page);
  await expect(shell.heading()).toHaveText("Roles");
  await shell.account().click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("You are signed out")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toMatch(/holdfast_[0-9a-f]{32}_/);
  await page.reload();
  await expect(shell.heading()).toHaveText("Sign in");
});

test("a bad token is refused in words, pasted or in the address", async ({ page }) => {
  await page.goto("/");
  const field = page.getByRole("textbox", { name: "API token" });
  await field.fill("not a token");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("This does not look like a token")).toBeVisible();
  await field.fill(UNKNOWN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("This token is not valid");
  await page.goto("/healthz");
  await page.goto(`/#token=${UNKNOWN}`);
  await expect(page.getByRole("alert")).toContainText("unknown, has expired or was revoked");
  expect(page.url()).not.toContain("token");
});

test("a server that does not answer is told from a token that is not valid", async ({ page }) => {
  await page.goto("/");
  await page.route("**/v1/me", (route) => route.abort());
  await page.getByRole("textbox", { name: "API token" }).fill(TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("The server does not answer");
});
