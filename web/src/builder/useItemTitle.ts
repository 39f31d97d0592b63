/** What something that can be added is called: the console's word for the product's types, the server's for anything else. */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { capital } from "../ui/sentenceCase";
import type { PaletteItem } from "./palette";

export function useItemTitle(): (item: PaletteItem) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (item) => {
      const key = item.action === null ? `canvas.type_${item.type}` : `action.${item.action.replaceAll(".", "_")}`;
      return i18n.exists(key) ? capital((t as (key: string) => string)(key)) : item.title;
    },
    [t, i18n],
  );
}
