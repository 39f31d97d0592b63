/** Sign in: in a way that the server has set up, with a mailed link, or with a token that is pasted here. */
import { Alert, Anchor, Button, Center, Code, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { keys } from "../api/keys";
import { asProblem } from "../api/problem";
import { readMe } from "../api/me";
import { LanguageChoice } from "../ui/LanguageChoice";
import { Mark } from "../ui/Mark";
import { ProblemAlert } from "../ui/ProblemAlert";
import { ConfirmLink } from "./ConfirmLink";
import classes from "./SignInPage.module.css";
import { type Ending, session } from "./store";
import { tokenIn } from "./token";
import { Ways } from "./Ways";

export function SignInPage({ ending, link }: { ending: Ending; link?: string | undefined }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [pasted, setPasted] = useState("");
  const [malformed, setMalformed] = useState(false);
  const [shown, setShown] = useState(false);
  const attempt = useMutation({
    mutationFn: async (token: string) => ({ token, me: await readMe(token) }),
    onSuccess: ({ token, me }) => {
      session.start(token);
      cache.setQueryData(keys.me, me);
    },
    gcTime: 0,
  });
  useEffect(() => {
    document.title = `${t("sign_in.title")} · holdfast`;
  }, [t]);

  const refused = attempt.isError ? asProblem(attempt.error).status === 401 : ending === "refused" && attempt.isIdle;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = tokenIn(pasted);
    setMalformed(token === null);
    if (token) attempt.mutate(token);
    else attempt.reset();
  };

  return (
    <Center component="main" className={classes.page}>
      <Stack className={classes.box} gap="lg">
        <div className={classes.brand}>
          <Mark size={52} />
          <div>
            <p className={classes.name}>holdfast</p>
            <Text c="dimmed">{t("app.tagline")}</Text>
          </div>
        </div>
        {link !== undefined ? (
          <div className={classes.card}>
            <ConfirmLink secret={link} />
          </div>
        ) : (
        <form onSubmit={submit} className={classes.card} noValidate>
          <Stack>
            <Title order={1} size="h2">
              {t("sign_in.title")}
            </Title>
            {(ending === "over" || ending === "failed") && attempt.isIdle && (
              <Alert role="alert" color="rust">
                {ending === "over" ? t("sign_in.over") : t("sign_in.failed")}
              </Alert>
            )}
            <Text c="dimmed" size="sm">
              <Trans i18nKey="sign_in.intro" components={{ code: <Code /> }} />
            </Text>
            {refused && !malformed && (
              <Alert role="alert" color="rust" title={t("sign_in.refused")}>
                <Trans i18nKey="sign_in.refused_detail" components={{ code: <Code /> }} />
              </Alert>
            )}
            {attempt.isError && !refused && <ProblemAlert error={attempt.error} />}
            {ending === "signed_out" && attempt.isIdle && <Alert color="slate">{t("sign_in.signed_out")}</Alert>}
            <PasswordInput
              label={t("sign_in.token")}
              placeholder="holdfast_…"
              value={pasted}
              onChange={(event) => {
                setPasted(event.currentTarget.value);
                setMalformed(false);
              }}
              error={malformed && t("sign_in.not_a_token")}
              aria-invalid={malformed || undefined}
              visible={shown}
              onVisibilityChange={setShown}
              visibilityToggleButtonProps={{ "aria-label": t(shown ? "sign_in.hide" : "sign_in.show"), tabIndex: 0 }}
              autoComplete="off"
              spellCheck={false}
              size="md"
              data-autofocus
            />
            <Button type="submit" size="md" loading={attempt.isPending}>
              {t("sign_in.submit")}
            </Button>
            <Text size="xs" c="dimmed">
              {t("sign_in.privacy")}
            </Text>
          </Stack>
        </form>
        )}
        {link === undefined && <Ways />}
        <LanguageChoice />
        <Anchor href="/installation" size="xs" c="dimmed" ta="center">
          {t("sign_in.operator")}
        </Anchor>
      </Stack>
    </Center>
  );
}
