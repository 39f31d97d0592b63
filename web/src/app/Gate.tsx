/** Lets in who is signed in, whatever page they asked for; everybody else sees the sign-in page in its place. */
import { Button, Center, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/keys";
import { readMe } from "../api/me";
import { browserLive, LiveProvider } from "../live/LiveProvider";
import { signedIn, SignedInProvider } from "../session/SignedIn";
import { leave } from "../session/leave";
import { session } from "../session/store";
import { Mark } from "../ui/Mark";
import { ProblemAlert } from "../ui/ProblemAlert";

// Whoever is signed in does not load it; `first-paint.js` fetches it early for everybody else.
const SignInPage = lazy(() => import("../session/SignInPage").then((module) => ({ default: module.SignInPage })));

const LinkQuestion = lazy(() => import("../session/LinkQuestion").then((module) => ({ default: module.LinkQuestion })));

export function Gate({ children }: { children: ReactNode }) {
  const { token, ending, offered, link } = useSyncExternalStore(session.subscribe, session.get);
  // Another person is another tree: no state of the page outlives who saw it.
  if (token) return (
      <Admitted key={token} offered={offered}>
        {children}
      </Admitted>
    );
  return (
    <Suspense fallback={null}>
      <SignInPage ending={ending} link={link} />
    </Suspense>
  );
}

function Admitted({ offered, children }: { offered: string | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const me = useQuery({ queryKey: keys.me, queryFn: () => readMe(), staleTime: 60_000 });
  const value = useMemo(() => (me.data ? signedIn(me.data) : null), [me.data]);
  const tenant = value?.tenant;
  const make = useCallback(() => browserLive(tenant ?? "", session.get().token ?? ""), [tenant]);
  if (value) {
    return (
      <SignedInProvider value={value}>
        <LiveProvider make={make}>{children}</LiveProvider>
        {offered !== undefined && (
          <Suspense fallback={null}>
            <LinkQuestion offered={offered} />
          </Suspense>
        )}
      </SignedInProvider>
    );
  }
  return (
    <Center component="main" mih="100dvh" p="md">
      {me.isError ? (
        <Stack maw={480} w="100%">
          <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />
          <Button variant="subtle" onClick={() => void leave()}>
            {t("account.sign_out")}
          </Button>
        </Stack>
      ) : (
        <Stack align="center" role="status">
          <Mark size={44} />
          <Text c="dimmed">{t("app.signing_in")}</Text>
          <Slow />
        </Stack>
      )}
    </Center>
  );
}

const SLOW_MS = 5_000;

/** A server that hangs answers nothing, not even that it fails. */
function Slow() {
  const { t } = useTranslation();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow ? <Text ta="center">{t("app.signing_in_slow")}</Text> : null;
}
