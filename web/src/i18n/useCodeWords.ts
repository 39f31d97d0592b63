/**
 * What the server tells as a code, in the reader's language. English is what the server speaks itself, and says more exactly than a
 * code can; so there, and for a code that nobody wrote words for, there are none: say the server's own.
 */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

export function useCodeWords(): (key: string, params?: Readonly<Record<string, unknown>>) => string | null {
  const { t, i18n } = useTranslation();
  return useCallback(
    (key, params) => (i18n.language !== "en" && i18n.exists(key) ? (t as (key: string, params?: object) => string)(key, params) : null),
    [t, i18n],
  );
}
