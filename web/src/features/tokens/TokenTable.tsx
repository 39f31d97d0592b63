/** Tokens as rows; on a narrow screen each row becomes a small card. */
import { Badge, Code, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Token } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Hint } from "../../ui/Hint";
import { shortDay } from "../../ui/time";
import { useNow } from "../../ui/useNow";
import { When } from "../../ui/When";
import { RevokeToken } from "./RevokeToken";
import { inForce, type TokenState, tokenState } from "./state";
import classes from "./TokenTable.module.css";

const COLORS: Record<TokenState, string> = { active: "kelp", unused: "ochre", expired: "slate", revoked: "rust" };

export function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  const { t } = useTranslation();
  const { me, may } = useSignedIn();
  const now = useNow();
  const [revoking, setRevoking] = useState<Token | null>(null);
  return (
    <>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("tokens.name")}</Table.Th>
            <Table.Th>{t("tokens.user")}</Table.Th>
            <Table.Th>{t("tokens.state")}</Table.Th>
            <Table.Th>{t("tokens.scopes")}</Table.Th>
            <Table.Th>{t("tokens.last_used")}</Table.Th>
            <Table.Th>{t("tokens.expires")}</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>{t("tokens.revoke")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => {
            const state = tokenState(token, now);
            return (
              <Table.Tr key={token.token_id} data-ended={!inForce(token, now) || undefined}>
                <Table.Td className={classes.name}>
                  <Text fw={500}>{token.name}</Text>
                  <Text size="xs" c="dimmed">
                    {t("tokens.created")} <When at={token.created_at} />
                  </Text>
                </Table.Td>
                <Table.Td data-label={t("tokens.user")}>
                  <Text span size="sm" ff="monospace">
                    {token.user}
                  </Text>
                </Table.Td>
                <Table.Td data-label={t("tokens.state")}>
                  <Badge color={COLORS[state]} miw="max-content">{t(`tokens.state_${state}`)}</Badge>
                </Table.Td>
                <Table.Td data-label={t("tokens.scopes")}>
                  <Scopes scopes={token.scopes} />
                </Table.Td>
                <Table.Td data-label={t("tokens.last_used")}>
                  {token.last_used_at ? <When at={token.last_used_at} /> : t("common.never")}
                </Table.Td>
                <Table.Td data-label={t("tokens.expires")}>
                  {token.expires_at ? (
                    <div>
                      <When at={token.expires_at} />
                      <Text size="xs" c="dimmed">
                        {shortDay(new Date(token.expires_at))}
                      </Text>
                    </div>
                  ) : (
                    t("common.never")
                  )}
                </Table.Td>
                <Table.Td className={classes.action}>
                  {inForce(token, now) && (
                    <ActionButton
                      {...(token.user !== me.name && !may("tokens:write") && { needs: "tokens:write" })}
                      size="xs"
                      variant="default"
                      aria-label={t("tokens.revoke_label", { name: token.name })}
                      onClick={() => setRevoking(token)}
                    >
                      {t("tokens.revoke")}
                    </ActionButton>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <RevokeToken token={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function Scopes({ scopes }: { scopes: string[] | null }) {
  const { t } = useTranslation();
  if (scopes === null) return <Text span size="sm">{t("tokens.scopes_all")}</Text>;
  if (scopes.length === 0) return <Text span size="sm">{t("tokens.scopes_none")}</Text>;
  return (
    <Hint label={scopes.join(", ")}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the list in the tooltip must be reachable */}
      <span tabIndex={0} className={classes.scopes}>
        {scopes.length === 1 ? <Code>{scopes[0]}</Code> : t("tokens.scopes_some", { count: scopes.length })}
      </span>
    </Hint>
  );
}
