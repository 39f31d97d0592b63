/** Where a step may lead, for those who do not drag: what cannot be says why. */
import { Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./Builder.module.css";
import type { Refusal } from "./model/rules";

interface Props {
  title: string;
  targets: readonly { id: string; name: string; refused: Refusal | null }[];
  onChoose: (target: string) => void;
  onClose: () => void;
}

export function ConnectPicker({ title, targets, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap={2}>
        {targets.map(({ id, name, refused }) => (
          <UnstyledButton key={id} className={classes.item} aria-disabled={refused !== null} onClick={() => refused === null && onChoose(id)}>
            <span>
              <Text size="sm" component="span" {...(refused !== null && { c: "dimmed" })}>
                {name}
              </Text>
              {refused !== null && (
                <Text size="xs" c="dimmed" component="span" display="block">
                  {t(`builder.refused_${refused}`)}
                </Text>
              )}
            </span>
          </UnstyledButton>
        ))}
      </Stack>
    </Modal>
  );
}
