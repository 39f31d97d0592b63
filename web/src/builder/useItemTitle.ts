/** What something that can be added is called: the console's word for the product's types and actions, the server's for anything else. */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { capital } from "../ui/sentenceCase";
import type { PaletteItem } from "./palette";

export function useItemTitle(): (item: PaletteItem) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ entry }) => {
      const key = typeof entry.action === "string" ? `action.${entry.action.replaceAll(".", "_")}` : `canvas.type_${entry.type}`;
      return i18n.exists(key) ? capital((t as (key: string) => string)(key)) : entry.title;
    },
    [t, i18n],
  );
}

export function useGroupTitle(): (item: PaletteItem) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ group, groupTitle }) => {
      const key = `builder.group_${group}`;
      return i18n.exists(key) ? (t as (key: string) => string)(key) : groupTitle;
    },
    [t, i18n],
  );
}
