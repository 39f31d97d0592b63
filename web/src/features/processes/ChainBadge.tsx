/** Whether the trail is whole: checked when somebody asks, and then said. */
import { Badge, Button, Group } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useVerification } from "../../api/queries";
import { useSignedIn } from "../../session/SignedIn";
import { When } from "../../ui/When";

export function ChainBadge() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const { last, verify } = useVerification();
  if (!may("audit:read")) return null;
  return (
    <Group gap="xs" role="status">
      {last && (
        <Badge color={last.verdict.ok ? "kelp" : "rust"}>
          {t(last.verdict.ok ? "processes.chain_whole" : "processes.chain_broken")} · <When at={last.at} />
        </Badge>
      )}
      <Button variant="subtle" size="compact-sm" loading={verify.isPending} leftSection={<IconShieldCheck size={16} aria-hidden="true" />} onClick={() => verify.mutate()}>
        {t("processes.chain_verify")}
      </Button>
    </Group>
  );
}
