/** What else can be done with a request than approve or reject it; what is not given cannot be done now. */
import { Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface Props {
  onClaim: (() => void) | undefined;
  onRelease: (() => void) | undefined;
  onHandOver: (() => void) | undefined;
  onAbstain: () => void;
}

export function MoreMenu({ onClaim, onRelease, onHandOver, onAbstain }: Props) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" px="sm" aria-label={t("inbox.more")}>
          <IconDots size={18} aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {onClaim && <Menu.Item onClick={onClaim}>{t("inbox.claim")}</Menu.Item>}
        {onRelease && <Menu.Item onClick={onRelease}>{t("inbox.release")}</Menu.Item>}
        {onHandOver && <Menu.Item onClick={onHandOver}>{t("inbox.hand_over")}</Menu.Item>}
        <Menu.Item onClick={onAbstain}>{t("inbox.abstain")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
