/** How the console looks to somebody and speaks to them, and the way out. */
import { Button, FocusTrap, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { IconBell, IconLogout } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { leave } from "../session/leave";
import { LanguageChoice } from "../ui/LanguageChoice";
import { LinkButton } from "../ui/LinkButton";

const THEMES = ["light", "dark", "auto"] as const;

export function AccountPanel() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <FocusTrap>
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
        <LinkButton to="/you" variant="default" leftSection={<IconBell size={16} aria-hidden="true" />}>
          {t("you.title")}
        </LinkButton>
        <Button
          variant="default"
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => void leave()}
        >
          {t("account.sign_out")}
        </Button>
      </Stack>
    </FocusTrap>
  );
}
