/** How long things are kept and how much is taken: the installation's to say, and in force here. */
import { Card, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Limit, useLimits } from "../../api/me";
import { formats } from "../../i18n/formats";
import { approximate } from "../../json/exact";
import { Facts } from "../../ui/Facts";
import { Loaded } from "../../ui/Loaded";

/** In this order; of what a newer server tells besides, its own name is shown. */
const KEPT = ["run_retention", "process_retention", "outbox_retention", "data_change_retention", "receipt_retention", "checkpoint_retention_days", "audit_retention_plain", "audit_retention_chained"] as const;
const TAKEN = ["payload_limit", "document_limit", "data_value_limit", "rate_token", "rate_tenant", "process_rate", "effects_max_attempts", "outbox_max_attempts"] as const;

export function Limits() {
  const { t } = useTranslation();
  const query = useLimits();
  const say = useAmount();
  return (
    <Card component="section" aria-labelledby="limits-title">
      <Title order={2} size="h3" mb="xs" id="limits-title">
        {t("settings.limits")}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t("settings.limits_intro")}
      </Text>
      <Loaded query={query} lines={6} height={28}>
        {(limits) => {
          const found = new Map(limits.map((limit) => [limit.setting, limit]));
          const told = <Name extends string>(names: readonly Name[], word: (name: Name) => string) =>
            names.flatMap((name) => {
              const limit = found.get(name);
              return limit ? [[word(name), say(limit)] as const] : [];
            });
          return (
            <>
              <Title order={3} size="h4" mb="xs">
                {t("settings.kept")}
              </Title>
              <Facts facts={told(KEPT, (name) => t(`settings.kept_${name}`))} />
              <Title order={3} size="h4" mt="lg" mb="xs">
                {t("settings.taken")}
              </Title>
              <Facts facts={told(TAKEN, (name) => t(`settings.taken_${name}`))} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function useAmount(): (limit: Pick<Limit, "value" | "unit">) => string {
  const { t } = useTranslation();
  return ({ value, unit }) => {
    if (value === null) return t(unit === "days" ? "settings.for_ever" : "settings.any_number");
    const number = approximate(value);
    if (unit === "days") return t("settings.days", { count: number });
    if (unit === "bytes") return bytes(number);
    const written = number.toLocaleString(formats());
    return unit === "per_second" ? t("settings.per_second", { number: written }) : written;
  };
}

function bytes(number: number): string {
  const [size, unit] = number >= 1 << 20 ? [number / (1 << 20), "MiB"] : number >= 1 << 10 ? [number / (1 << 10), "KiB"] : [number, "B"];
  return `${size.toLocaleString(formats(), { maximumFractionDigits: 1 })} ${unit}`;
}
