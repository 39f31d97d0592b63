/** Which keys do what in the inbox. */
import { Kbd, Modal, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

const KEYS = ["j", "k", "a", "r", "x", "?"] as const;
const KEY_WORDS = { j: "next", k: "previous", a: "approve", r: "reject", x: "choose", "?": "help" } as const;

export function Help({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t("inbox.keys")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Table>
        <Table.Tbody>
          {KEYS.map((key) => (
            <Table.Tr key={key}>
              <Table.Td w={60}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>
                <Text>{t(`inbox.key_${KEY_WORDS[key]}`)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
