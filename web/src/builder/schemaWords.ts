/** What parts of a configuration are called, where the server's schema has only the names of its own types for them. */
import type { TFunction } from "i18next";
import { isObject, type JsonObject } from "../json/json";

const WORDS = {
  ByUser: "builder.by_user",
  ByRole: "builder.by_role",
  ByManager: "builder.by_manager",
  ByRule: "builder.by_rule",
  ByResolver: "builder.by_resolver",
} as const;

export function titledDefinitions(definitions: JsonObject, t: TFunction): JsonObject {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      const word = name in WORDS ? WORDS[name as keyof typeof WORDS] : undefined;
      return [name, word && isObject(schema) ? { ...schema, title: t(word) } : schema];
    }),
  );
}
