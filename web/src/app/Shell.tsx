/** The frame around every page: menu at the side, or behind a button where the screen is narrow. */
import { Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFresh } from "../api/fresh";
import { useInboxCounts } from "../api/people";
import { useTenant } from "../api/me";
import { useSignedIn } from "../session/SignedIn";
import { Mark } from "../ui/Mark";
import { AccountMenu } from "./AccountMenu";
import { GoAnywhere } from "./GoAnywhere";
import { navigationFor } from "./navigation";
import classes from "./Shell.module.css";

export function Shell() {
  const { t } = useTranslation();
  const [opened, menu] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    menu.close();
    // A new page is announced by moving there, as a browser does when it loads one; not on the very first.
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the page matters
  }, [path]);
  return (
    <>
      <a href="#content" className="skip" onClick={() => main.current?.focus()}>
        {t("app.skip")}
      </a>
      <header className={classes.header}>
        <Brand />
        <Burger
          opened={opened}
          onClick={menu.toggle}
          size="sm"
          aria-label={t(opened ? "app.close_menu" : "app.open_menu")}
          aria-expanded={opened}
          aria-controls="menu"
        />
      </header>
      <nav id="menu" className={classes.menu} data-closed={!opened || undefined} aria-label={t("app.menu")}>
        <div className={classes.top}>
          <Brand />
        </div>
        <GoAnywhere />
        <div className={classes.places}>
          <Menu />
        </div>
        <div className={classes.account}>
          <AccountMenu />
        </div>
      </nav>
      <main id="content" ref={main} tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <Outlet />
        </div>
      </main>
    </>
  );
}

function Brand() {
  const { tenant } = useSignedIn();
  const { data } = useTenant();
  return (
    <Link to="/" className={classes.brand}>
      <Mark size={30} />
      <span>
        <span className={classes.name}>holdfast</span>
        <span className={classes.tenant}>{data?.name ?? tenant}</span>
      </span>
    </Link>
  );
}

function Menu() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  return (
    <nav aria-label={t("nav.label")}>
      {navigationFor(may).map((group) => (
        <div key={group.label ?? "top"} className={classes.group}>
          {group.label && <p className={classes.label}>{t(`nav.${group.label}`)}</p>}
          <ul>
            {group.destinations.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={classes.link}
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                  activeProps={{ "data-active": true, "aria-current": "page" }}
                >
                  <Icon size={19} stroke={1.6} aria-hidden="true" />
                  {t(`nav.${label}`)}
                  {to === "/inbox" && <Waiting />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** How much waits, as the inbox itself counts it. */
function Waiting() {
  const { t } = useTranslation();
  const { data } = useInboxCounts(useFresh(["inbox"]));
  if (!data || data.all.count === 0) return null;
  const count = `${data.all.count}${data.all.more ? "+" : ""}`;
  return (
    <>
      <span className={classes.count} aria-hidden="true">
        {count}
      </span>
      <span className={classes.heard}>{t("nav.waiting", { count })}</span>
    </>
  );
}
