/** Those who are asked, as one says it: "role finance", "ana", "anyone who may approve". */
import { useTranslation } from "react-i18next";
import { principalName } from "./story";

export function usePrincipals(): (principals: readonly string[]) => string {
  const { t, i18n } = useTranslation();
  const one = (principal: string) => {
    const { kind, name } = principalName(principal);
    if (kind === "anyone") return t("people.anyone");
    return kind === "role" ? t("people.role", { role: name }) : name;
  };
  return (principals) => new Intl.ListFormat(i18n.language, { type: "conjunction" }).format([...new Set(principals)].map(one));
}
