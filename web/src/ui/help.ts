/** Which page of the documentation tells of which page of the console. */
const PAGES: Readonly<Record<string, string>> = {
  inbox: "approvals",
  you: "approvals",
  documents: "documents",
  processes: "processes",
  sessions: "sessions",
  workflows: "definitions",
  automations: "processes",
  parts: "approvals",
  health: "operating",
  operations: "operating",
  runs: "runs",
  schedules: "schedules",
  deliveries: "outbox",
  data: "data",
  audit: "audit",
  users: "access",
  roles: "access",
  tokens: "access",
  settings: "tenancy",
};

export const helpFor = (path: string): string => PAGES[path.split("/")[1] ?? ""] ?? "guide";
