/** Who is signed in; a press opens what they may set for themselves, which is loaded when somebody is about to press. */
import { Skeleton, UnstyledButton } from "@mantine/core";
import { useClickOutside } from "@mantine/hooks";
import { IconSelector } from "@tabler/icons-react";
import { type KeyboardEvent, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFresh } from "../api/fresh";
import { useUnread } from "../api/people";
import { useSignedIn } from "../session/SignedIn";
import { later } from "../ui/later";
import { Monogram } from "../ui/Person";
import classes from "./AccountMenu.module.css";

const load = () => import("./AccountPanel").then((module) => module.AccountPanel);
const AccountPanel = later(load);
const prepare = () => void load().catch(() => undefined);

export function AccountMenu() {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const around = useClickOutside<HTMLDivElement>(() => setOpened(false));
  const close = () => {
    setOpened(false);
    target.current?.focus();
  };
  const unread = useUnread(useFresh(["inbox"])).data?.unread ?? 0;
  const label = t("account.label", { name: me.name });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && opened) close();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape is heard wherever inside the focus is
    <div ref={around} className={classes.around} onKeyDown={onKeyDown}>
      {opened && (
        <div className={classes.menu} role="dialog" aria-label={label}>
          <Suspense fallback={<Skeleton height={180} role="status" aria-label={t("common.loading")} />}>
            <AccountPanel />
          </Suspense>
        </div>
      )}
      <UnstyledButton
        ref={target}
        className={classes.target}
        aria-label={unread > 0 ? `${label}, ${t("you.unread", { count: unread })}` : label}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpened(!opened)}
      >
        <Monogram displayName={me.name} kind={me.kind} />
        {unread > 0 && <span className={classes.unread} aria-hidden="true" />}
        <span className={classes.who}>
          <span className={classes.name}>{me.name}</span>
          <span className={classes.roles}>{me.roles.join(", ") || t("account.no_roles")}</span>
        </span>
        <IconSelector size={16} aria-hidden="true" />
      </UnstyledButton>
    </div>
  );
}
