/**
 * The areas of words: each has one file a language, `locales/‹language›/‹area›.json`. English is the model: its files are the types of the
 * keys. A new area is a file for each language and a line here; only what many read belongs into the first of `volumes.ts`.
 */
export interface Words {
  account: typeof import("./locales/en/account.json");
  action: typeof import("./locales/en/action.json");
  app: typeof import("./locales/en/app.json");
  area: typeof import("./locales/en/area.json");
  audit: typeof import("./locales/en/audit.json");
  builder: typeof import("./locales/en/builder.json");
  builtin_role: typeof import("./locales/en/builtin_role.json");
  canvas: typeof import("./locales/en/canvas.json");
  chain: typeof import("./locales/en/chain.json");
  common: typeof import("./locales/en/common.json");
  compile: typeof import("./locales/en/compile.json");
  deliveries: typeof import("./locales/en/deliveries.json");
  data: typeof import("./locales/en/data.json");
  documents: typeof import("./locales/en/documents.json");
  event: typeof import("./locales/en/event.json");
  form: typeof import("./locales/en/form.json");
  health: typeof import("./locales/en/health.json");
  home: typeof import("./locales/en/home.json");
  inbox: typeof import("./locales/en/inbox.json");
  installation: typeof import("./locales/en/installation.json");
  live: typeof import("./locales/en/live.json");
  nav: typeof import("./locales/en/nav.json");
  operations: typeof import("./locales/en/operations.json");
  overview: typeof import("./locales/en/overview.json");
  paper: typeof import("./locales/en/paper.json");
  parts: typeof import("./locales/en/parts.json");
  people: typeof import("./locales/en/people.json");
  permission: typeof import("./locales/en/permission.json");
  problem: typeof import("./locales/en/problem.json");
  processes: typeof import("./locales/en/processes.json");
  reason: typeof import("./locales/en/reason.json");
  roles: typeof import("./locales/en/roles.json");
  runs: typeof import("./locales/en/runs.json");
  schedules: typeof import("./locales/en/schedules.json");
  sessions: typeof import("./locales/en/sessions.json");
  settings: typeof import("./locales/en/settings.json");
  sign_in: typeof import("./locales/en/sign_in.json");
  story: typeof import("./locales/en/story.json");
  stuck: typeof import("./locales/en/stuck.json");
  tokens: typeof import("./locales/en/tokens.json");
  users: typeof import("./locales/en/users.json");
  why: typeof import("./locales/en/why.json");
  workflows: typeof import("./locales/en/workflows.json");
  you: typeof import("./locales/en/you.json");
}
