/** The ways to sign in that the server has besides a token: its OpenID provider, and a link that is mailed. */
import { Alert, Button, Collapse, Stack, TextInput } from "@mantine/core";
import { IconLogin2, IconMail } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, sent } from "../api/client";
import { ProblemAlert } from "../ui/ProblemAlert";
import { session } from "./store";
import { COOKIE } from "./token";

export function Ways() {
  const { t } = useTranslation();
  const [mailing, setMailing] = useState(false);
  const found = useQuery({
    queryKey: ["ways"],
    queryFn: () => sent(api.GET("/auth/methods")),
    staleTime: 60_000,
    gcTime: 0,
    retry: false,
  });
  const known = found.data?.signed_in ?? false;
  useEffect(() => {
    if (known) session.start(COOKIE);
  }, [known]);
  const ways = found.data;
  if (!ways || (ways.openid === null && !ways.mail)) return null;
  return (
    <Stack gap="sm">
      {ways.openid !== null && (
        <Button size="md" leftSection={<IconLogin2 size={18} aria-hidden="true" />} component="a" href={providerAddress()}>
          {t("sign_in.with", { provider: ways.openid })}
        </Button>
      )}
      {ways.mail && (
        <>
          <Button
            size="md"
            variant="default"
            leftSection={<IconMail size={18} aria-hidden="true" />}
            aria-expanded={mailing}
            onClick={() => setMailing(!mailing)}
          >
            {t("sign_in.by_mail")}
          </Button>
          <Collapse expanded={mailing}>
            <MailForm />
          </Collapse>
        </>
      )}
    </Stack>
  );
}

function MailForm() {
  const { t } = useTranslation();
  const [tenant, setTenant] = useState("");
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: () => sent(api.POST("/auth/mail", { body: { tenant: tenant.trim(), email: email.trim() } })),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  if (ask.isSuccess) {
    return (
      <Alert role="status" color="kelp">
        {t("sign_in.mail_sent", { email: email.trim() })}
      </Alert>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput label={t("sign_in.tenant")} value={tenant} onChange={(event) => setTenant(event.currentTarget.value)} required />
        <TextInput
          type="email"
          label={t("sign_in.email")}
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          required
        />
        {ask.isError && <ProblemAlert error={ask.error} />}
        <Button type="submit" loading={ask.isPending} disabled={!tenant.trim() || !email.trim()}>
          {t("sign_in.mail_submit")}
        </Button>
      </Stack>
    </form>
  );
}

/** Where the provider is asked, with the page to come back to. */
function providerAddress(): string {
  return `/auth/oidc?to=${encodeURIComponent(window.location.pathname + window.location.search)}`;
}
