/** How the console looks to somebody and speaks to them, and the way out. */
import { Badge, Button, FocusTrap, NativeSelect, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { IconBell, IconLogout } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useDemoPeople, useDemoSwitch } from "../api/demo";
import { useUnread } from "../api/people";
import { useSignedIn } from "../session/SignedIn";
import { session } from "../session/store";
import { LanguageChoice } from "../ui/LanguageChoice";
import { LinkButton } from "../ui/LinkButton";
import { ProblemAlert } from "../ui/ProblemAlert";

const THEMES = ["light", "dark", "auto"] as const;

export function AccountPanel() {
  const { t } = useTranslation();
  const unread = useUnread(false).data?.unread ?? 0;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <FocusTrap>
      <Stack gap="md">
        <DemoPeople />
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
        <LinkButton to="/you" variant="default" leftSection={<IconBell size={16} aria-hidden="true" />} rightSection={unread > 0 ? <Badge size="sm">{unread}</Badge> : undefined}>
          {t("you.title")}
        </LinkButton>
        <Button
          variant="default"
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => session.end("signed_out")}
        >
          {t("account.sign_out")}
        </Button>
      </Stack>
    </FocusTrap>
  );
}

/** Only in the demo: look at everything as somebody else would. */
function DemoPeople() {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const people = useDemoPeople();
  const change = useDemoSwitch();
  if (!people.data || people.data.length === 0) return null;
  const known = people.data.some(({ user }) => user === me.name);
  return (
    <div>
      <NativeSelect
        size="xs"
        label={t("account.demo")}
        description={t("account.demo_hint")}
        value={me.name}
        disabled={change.isPending}
        data={[...(known ? [] : [me.name]), ...people.data.map(({ user, display_name, title }) => ({ value: user, label: `${title} · ${display_name}` }))]}
        onChange={(event) => change.mutate(event.currentTarget.value)}
      />
      {change.isError && <ProblemAlert error={change.error} />}
    </div>
  );
}
