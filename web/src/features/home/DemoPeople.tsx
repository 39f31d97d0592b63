/** Only in the demo: whom one can be, for those who signed in and find that nothing waits for them. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconUserShare } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useDemoPeople, useDemoSwitch } from "../../api/demo";
import { useSignedIn } from "../../session/SignedIn";
import { ProblemAlert } from "../../ui/ProblemAlert";

export function DemoPeople({ centred = false }: { centred?: boolean }) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  const people = useDemoPeople();
  const change = useDemoSwitch();
  const others = (people.data ?? []).filter(({ user }) => user !== me.name);
  if (others.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">{t("home.demo")}</Text>
      <Group gap="xs" {...(centred && { justify: "center" })}>
        {others.map(({ user, display_name, title }) => (
          <Button
            key={user}
            size="xs"
            variant="default"
            leftSection={<IconUserShare size={14} aria-hidden="true" />}
            loading={change.isPending && change.variables === user}
            onClick={() => change.mutate(user)}
          >
            {title} · {display_name}
          </Button>
        ))}
      </Group>
      {change.isError && <ProblemAlert error={change.error} />}
    </Stack>
  );
}
