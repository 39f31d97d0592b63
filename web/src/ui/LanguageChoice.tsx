/** Chooses the language of the interface; each is written in itself. */
import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { chooseLanguage } from "../i18n";
import { isLanguage, LANGUAGES } from "../i18n/language";

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <NativeSelect
      label={t("account.language")}
      size="sm"
      value={i18n.language}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget: { value } }) => {
        if (isLanguage(value)) chooseLanguage(value);
      }}
    />
  );
}
