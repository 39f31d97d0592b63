/** Lets in who is signed in, whatever page they asked for; everybody else sees the sign-in page in its place. */
import { Button, Center, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/keys";
import { readMe } from "../api/queries";
import { SignInPage } from "../session/SignInPage";
import { signedIn, SignedInProvider } from "../session/SignedIn";
import { session } from "../session/store";
import { Mark } from "../ui/Mark";
import { ProblemAlert } from "../ui/ProblemAlert";

export function Gate({ children }: { children: ReactNode }) {
  const { token, ending } = useSyncExternalStore(session.subscribe, session.get);
  // Another person is another tree: no state of the page outlives who saw it.
  return token ? <Admitted key={token}>{children}</Admitted> : <SignInPage ending={ending} />;
}

function Admitted({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const me = useQuery({ queryKey: keys.me, queryFn: () => readMe(), staleTime: 60_000 });
  const value = useMemo(() => (me.data ? signedIn(me.data) : null), [me.data]);
  if (value) return <SignedInProvider value={value}>{children}</SignedInProvider>;
  return (
    <Center component="main" mih="100dvh" p="md">
      {me.isError ? (
        <Stack maw={480} w="100%">
          <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />
          <Button variant="subtle" onClick={() => session.end("signed_out")}>
            {t("account.sign_out")}
          </Button>
        </Stack>
      ) : (
        <Stack align="center" role="status">
          <Mark size={44} />
          <Text c="dimmed">{t("app.signing_in")}</Text>
        </Stack>
      )}
    </Center>
  );
}
