/** The way to everything, by key or by pressing; what it opens is loaded when it is first wanted. */
import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { later } from "../ui/later";
import classes from "./Shell.module.css";

const CommandPalette = later(() => import("./CommandPalette").then((module) => module.CommandPalette));

export function GoAnywhere() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpened((before) => !before);
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, []);
  return (
    <>
      <UnstyledButton className={classes.go} aria-keyshortcuts="Control+K" onClick={() => setOpened(true)}>
        <IconSearch size={17} stroke={1.6} aria-hidden="true" />
        <span>{t("app.go")}</span>
        <kbd aria-hidden="true">{t("app.go_keys")}</kbd>
      </UnstyledButton>
      {opened && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
