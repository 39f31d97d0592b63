/** How many runs are unfinished, and how many users, roles and tokens there are. Each number leads to its page. */
import { SimpleGrid, Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useRoles, useRunStats, useTokens, useUsers } from "../../api/queries";
import { useSignedIn } from "../../session/SignedIn";
import { useNow } from "../../ui/useNow";
import { countByStatus } from "../runs/state";
import { inForce, tokenState } from "../tokens/state";
import classes from "./Figures.module.css";

export function Figures() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const now = useNow();
  const users = useUsers();
  const roles = useRoles();
  const tokens = useTokens();
  const stats = useRunStats(false);

  const people = users.data?.pages.flatMap((page) => page.items);
  const services = people?.filter((user) => user.kind === "service").length ?? 0;
  const inactive = people?.filter((user) => user.deactivated_at !== null).length ?? 0;
  const own = roles.data?.filter((role) => !role.built_in).length ?? 0;
  const current = tokens.data?.filter((token) => inForce(token, now));
  const unused = current?.filter((token) => tokenState(token, now) === "unused").length ?? 0;

  const runs = stats.data && countByStatus(stats.data);

  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <Figure
        to="/runs"
        label={t("overview.runs")}
        value={runs && (runs.pending + runs.leased).toLocaleString()}
        failed={stats.isError}
        allowed={may("runs:read")}
        notes={[(runs?.failed ?? 0) > 0 && t("overview.failed_runs", { count: runs?.failed ?? 0 })]}
      />
      <Figure
        to="/users"
        label={t("overview.users")}
        // The server counts nothing for us: with more pages to come, the number is only a lower bound.
        value={people && `${people.length}${users.hasNextPage ? "+" : ""}`}
        failed={users.isError}
        allowed={may("users:read")}
        notes={[
          services > 0 && t("overview.services", { count: services }),
          inactive > 0 && t("overview.deactivated", { count: inactive }),
        ]}
      />
      <Figure
        to="/roles"
        label={t("overview.roles")}
        value={roles.data && String(roles.data.length)}
        failed={roles.isError}
        allowed={may("users:read")}
        notes={[own > 0 && t("overview.own_roles", { count: own })]}
      />
      <Figure
        to="/tokens"
        label={t(may("tokens:read") ? "overview.tokens" : "overview.own_tokens")}
        value={current && String(current.length)}
        failed={tokens.isError}
        allowed
        notes={[unused > 0 && t("overview.unused_tokens", { count: unused })]}
      />
    </SimpleGrid>
  );
}

interface FigureProps {
  to: "/runs" | "/users" | "/roles" | "/tokens";
  label: string;
  value: string | undefined;
  notes: (string | false)[];
  failed: boolean;
  allowed: boolean;
}

function Figure({ to, label, value, notes, failed, allowed }: FigureProps) {
  const { t } = useTranslation();
  const note = allowed ? notes.filter((text) => text !== false).join(", ") : t("overview.no_right");
  const missing = failed || !allowed;
  const content = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>{value ?? (missing ? "–" : <Skeleton height={34} width={48} mt={6} />)}</span>
      <span className={classes.note}>{note || "\u00a0"}</span>
    </>
  );
  return allowed ? (
    <Link to={to} className={classes.figure}>
      {content}
    </Link>
  ) : (
    <div className={classes.figure}>{content}</div>
  );
}
