/** What workflows name: approval chains, rules, secrets, and who reports to whom. */
import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Page } from "../../ui/Page";
import { Chains } from "./Chains";
import { Chart } from "./Chart";
import { Rules } from "./Rules";
import { Secrets } from "./Secrets";
import { TABS, type Tab } from "./view";

const route = getRouteApi("/parts");

export function PartsPage() {
  const { t } = useTranslation();
  const { tab = "chains", open } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (name: string | undefined) => void navigate({ search: { ...(tab !== "chains" && { tab }), ...(name !== undefined && { open: name }) }, resetScroll: false });
  return (
    <Page title={t("parts.title")} intro={t("parts.intro")} needs="processes:read">
      <Tabs value={tab} keepMounted={false} onChange={(value) => void navigate({ search: value === "chains" || value === null ? {} : { tab: value as Tab } })}>
        <Tabs.List mb="md" aria-label={t("parts.title")}>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`parts.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="chains">
          <Chains open={open} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <Rules open={open} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="secrets">
          <Secrets open={open} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="chart">
          <Chart />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
