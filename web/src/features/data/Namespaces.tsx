/** The namespaces as a tree: each level with the keys below it. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import classes from "./DataPage.module.css";
import type { Branch } from "./model";

export function Namespaces({ branches, chosen }: { branches: readonly Branch[]; chosen: string | undefined }) {
  return (
    <ul className={classes.tree}>
      {branches.map((branch) => (
        <li key={branch.path}>
          <Level branch={branch} chosen={chosen} />
          {branch.below.length > 0 && <Namespaces branches={branch.below} chosen={chosen} />}
        </li>
      ))}
    </ul>
  );
}

function Level({ branch: { label, own, keys }, chosen }: { branch: Branch; chosen: string | undefined }) {
  const { t, i18n } = useTranslation();
  const count = (own?.key_count ?? keys).toLocaleString(i18n.language);
  if (!own) {
    return (
      <span className={`${classes.branch} ${classes.level}`}>
        {label} <span>{count}</span>
      </span>
    );
  }
  return (
    <Link
      className={classes.branch}
      to="/data"
      search={{ namespace: own.namespace }}
      aria-label={t("data.namespace_keys", { namespace: own.namespace, count: own.key_count })}
      {...(own.namespace === chosen && { "aria-current": "page" as const })}
    >
      {label} <span>{count}</span>
    </Link>
  );
}
