/** API tokens: what is in force, what has ended, and making and revoking them. */
import { Alert, Button, Card, Group, SegmentedControl } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTokens } from "../../api/queries";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { useNow } from "../../ui/useNow";
import { CreateToken } from "./CreateToken";
import { inForce } from "./state";
import { TokenTable } from "./TokenTable";

const route = getRouteApi("/tokens");
const CHOICES = ["in_force", "ended", "all"] as const;
type Choice = (typeof CHOICES)[number];

export function TokensPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t("tokens.title")}
      intro={t("tokens.intro")}
      actions={
        <ActionButton leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t("tokens.create")}
        </ActionButton>
      }
    >
      {!may("tokens:read") && <Alert color="slate">{t("tokens.own_only", { permission: "tokens:read" })}</Alert>}
      <TokenList />
      <CreateToken opened={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function TokenList() {
  const { t } = useTranslation();
  const { user } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const [choice, setChoice] = useState<Choice>("in_force");
  const query = useTokens();
  return (
    <Card padding={0}>
      <Group p="md" gap="sm">
        <SegmentedControl
          aria-label={t("tokens.filter")}
          size="sm"
          value={choice}
          onChange={setChoice}
          data={CHOICES.map((value) => ({ value, label: t(`tokens.filter_${value}`) }))}
        />
        {user && (
          <Button
            variant="light"
            rightSection={<IconX size={14} aria-label={t("common.clear")} />}
            onClick={() => void navigate({ search: {}, replace: true })}
          >
            {t("tokens.of_user", { user })}
          </Button>
        )}
      </Group>
      <Loaded query={query} lines={4} height={56} inset>
        {(tokens) => {
          const shown = tokens
            .filter((token) => !user || token.user === user)
            .filter((token) => choice === "all" || inForce(token, now) === (choice === "in_force"));
          if (shown.length === 0) return <Notice>{t(`tokens.empty_${choice}`)}</Notice>;
          return <TokenTable tokens={shown} />;
        }}
      </Loaded>
    </Card>
  );
}
