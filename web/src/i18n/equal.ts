/** What a language says as English does. Anything else that is the same has not been translated. */
import type { Translated } from "./language";

/** Names and abbreviations, the same everywhere. */
export const EVERYWHERE: readonly string[] = ["Cron, in UTC", "Ctrl K", "E-mail", "ID", "Id", "JSON", "Worker", "Workers", "script", "webhook"];

export const EQUAL: Readonly<Record<Exclude<Translated, "en">, readonly string[]>> = {
  de: ["Agent", "Auto", "Definition", "Hosts", "Installation", "Live", "Name", "Organisation", "Person", "Phase", "Revision", "Revision {{revision}}.", "Slot", "Slot {{name}}", "Slots", "Status", "System", "Text", "Trace", "in {{large}} s"],
  es: ["Control", "Error", "Hosts", "Roles", "Tokens", "no"],
  fr: ["Installation", "Phase", "5 minutes", "Actions", "Agent", "Agents", "Auto", "Configuration", "Conversation", "Description", "Document", "Document {{id}}", "Documents", "Menu", "Messages", "Organisation", "Page", "Parent", "Question", "Relation", "Secret", "Secrets", "Session", "Sessions", "Trace", "Type", "Version", "Versions", "Workflow", "Workflows", "action", "active", "condition", "notification", "session", "version {{version}}"],
  it: ["File", "Menu", "Payload", "Tenant", "no"],
  nl: ["Agent", "Agents", "Details", "Document", "Document {{id}}", "Filters", "Hosts", "Inbox", "Label", "Later", "Live", "Menu", "Object", "Outbox", "Payload", "Run", "Run {{id}}", "Runs", "Slot", "Slot {{name}}", "Slots", "Status", "Tenant", "Tenants", "Tokens", "Trace", "Triggers", "Workflow", "Workflows", "conflict", "open", "run", "{{left}} is {{right}}"],
  pl: ["Agent", "Auto", "Menu", "Status", "System", "program", "system", "{{count}} problem"],
  pt: ["Auto", "Menu", "Slot", "Slot {{name}}", "Slots", "Tokens"],
};
