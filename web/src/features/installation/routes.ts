/** The page of the installation's operator. They are nobody of any tenant, so it stands beside the pages of those who are. */
import { lazy } from "react";
import { wordsFor } from "../../i18n";

export const INSTALLATION = {
  path: "/installation",
  Page: lazy(async () => {
    const [module] = await Promise.all([import("./InstallationPage"), wordsFor("/installation")]);
    return { default: module.InstallationPage };
  }),
};
