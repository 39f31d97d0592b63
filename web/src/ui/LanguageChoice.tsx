/** Chooses the language of the interface; each is written in itself. */
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage } from "../i18n";
import { isLanguage, LANGUAGES, PSEUDO } from "../i18n/language";

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const [failed, setFailed] = useState(false);
  const choose = (value: string) => {
    if (!isLanguage(value)) return;
    setFailed(false);
    chooseLanguage(value).catch(() => setFailed(true));
  };
  // For those who build the console, and for whoever asked for it, to get out of it again.
  const pseudo = import.meta.env.DEV || i18n.language === PSEUDO ? [{ value: PSEUDO, label: "Pseudo" }] : [];
  return (
    <NativeSelect
      label={t("account.language")}
      size="sm"
      value={i18n.language}
      data={[...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })), ...pseudo]}
      error={failed && t("problem.unreachable")}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
