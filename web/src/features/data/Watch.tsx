/** What happens to the keys of a namespace while somebody looks. The list beneath stays as it is until they ask for it anew. */
import { Button, Card, Group, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { dataKeys } from "../../api/data";
import { isObject, parse } from "../../json/json";
import { openStream } from "../../live/stream";
import { useSignedIn } from "../../session/SignedIn";
import { session } from "../../session/store";
import { credentials } from "../../session/token";
import { When } from "../../ui/When";

interface Change {
  key: string;
  op: "set" | "deleted" | "expired";
  revision: number;
  at: string;
}

const KEPT = 20;

export function Watch({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  const [changes, setChanges] = useState<Change[]>([]);
  const [live, setLive] = useState(false);
  useEffect(() => {
    const stream = openStream({
      address: () => `/v1/${tenant}/data/watch?namespace=${encodeURIComponent(namespace)}`,
      headers: () => credentials(session.get().token ?? ""),
      onMessage: ({ data }) => {
        const change = changeOf(data);
        if (!change) return;
        setChanges((known) => [change, ...known].slice(0, KEPT));
        void cache.invalidateQueries({ queryKey: dataKeys.entry(namespace, change.key) });
      },
      onMissed: () => void cache.invalidateQueries({ queryKey: [...dataKeys.all, "entry", namespace] }),
      onState: (state) => setLive(state !== "reconnecting" && state !== "polling" && state !== "stopped"),
    });
    return () => stream.close();
  }, [tenant, namespace, cache]);
  return (
    <Card component="section" aria-labelledby="watch-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3" id="watch-title">
          {t("data.changes")}
        </Title>
        {changes.length > 0 && (
          <Button size="xs" variant="light" onClick={() => void cache.invalidateQueries({ queryKey: dataKeys.all })}>
            {t("data.renew")}
          </Button>
        )}
      </Group>
      <div role="log" aria-labelledby="watch-title">
        {changes.length === 0 && (
          <Text size="sm" c="dimmed">
            {t(live ? "data.watching" : "data.watch_away")}
          </Text>
        )}
        {changes.map((change) => (
          <Text size="sm" key={`${change.revision} ${change.op}`}>
            <When at={change.at} as="exact" /> · {t(`data.op_${change.op}`, { key: change.key })}
          </Text>
        ))}
      </div>
    </Card>
  );
}

function changeOf(text: string): Change | null {
  try {
    const read = parse(text);
    if (!isObject(read) || typeof read.key !== "string" || typeof read.revision !== "number" || typeof read.at !== "string") return null;
    const op = (["set", "deleted", "expired"] as const).find((each) => each === read.op);
    return op ? { key: read.key, op, revision: read.revision, at: read.at } : null;
  } catch {
    return null;
  }
}
