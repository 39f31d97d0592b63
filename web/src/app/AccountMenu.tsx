/** Who is signed in, how the console looks to them and speaks to them, and the way out. */
import { Button, Popover, SegmentedControl, Stack, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconLogout, IconSelector } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useSignedIn } from "../session/SignedIn";
import { session } from "../session/store";
import { LanguageChoice } from "../ui/LanguageChoice";
import { Monogram } from "../ui/Person";
import classes from "./AccountMenu.module.css";

const THEMES = ["light", "dark", "auto"] as const;

export function AccountMenu() {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Popover position="top-start" width={264} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.target} aria-label={t("account.label", { name: me.name })}>
          <Monogram displayName={me.name} kind={me.kind} />
          <span className={classes.who}>
            <span className={classes.name}>{me.name}</span>
            <span className={classes.roles}>{me.roles.join(", ") || t("account.no_roles")}</span>
          </span>
          <IconSelector size={16} aria-hidden="true" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} aria-label={t("account.label", { name: me.name })}>
        <Stack gap="md">
          <div>
            <Text size="sm" fw={500} mb={4} id="theme-label">
              {t("account.theme")}
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-labelledby="theme-label"
              value={colorScheme}
              onChange={setColorScheme}
              data={THEMES.map((value) => ({ value, label: t(`account.theme_${value}`) }))}
            />
          </div>
          <LanguageChoice />
          <Button
            variant="default"
            leftSection={<IconLogout size={16} aria-hidden="true" />}
            onClick={() => session.end("signed_out")}
          >
            {t("account.sign_out")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
