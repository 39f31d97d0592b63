/** A mailed link was opened: nobody is signed in before they say so, or a program that looks at links would use it up. */
import { Alert, Button, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, sent } from "../api/client";
import { asProblem } from "../api/problem";
import { ProblemAlert } from "../ui/ProblemAlert";
import { session } from "./store";
import { COOKIE } from "./token";

export function ConfirmLink({ secret }: { secret: string }) {
  const { t } = useTranslation();
  const confirm = useMutation({
    mutationFn: () => sent(api.POST("/auth/mail/confirm", { body: { secret } })),
    onSuccess: () => session.start(COOKIE),
    gcTime: 0,
  });
  const over = confirm.isError && asProblem(confirm.error).status === 401;
  return (
    <Stack>
      <Title order={1} size="h2">
        {t("sign_in.title")}
      </Title>
      {over ? (
        <Alert role="alert" color="rust" title={t("sign_in.link_over")}>
          {t("sign_in.link_over_detail")}
        </Alert>
      ) : (
        <Text c="dimmed">{t("sign_in.link_confirm")}</Text>
      )}
      {confirm.isError && !over && <ProblemAlert error={confirm.error} />}
      {!over && (
        <Button size="md" loading={confirm.isPending} onClick={() => confirm.mutate()} data-autofocus>
          {t("sign_in.submit")}
        </Button>
      )}
      <Button variant="subtle" onClick={() => session.end(null)}>
        {t("sign_in.otherwise")}
      </Button>
    </Stack>
  );
}
