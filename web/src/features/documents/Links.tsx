/** What a document is linked with: other documents can be opened, records of other systems are named. */
import { Card, Code, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useContracts, useLinks } from "../../api/documents";
import type { Document } from "../../api/types";
import { spoken } from "../../forms/schema";
import { TextLink } from "../../ui/LinkButton";
import classes from "./DocumentPage.module.css";

export function Links({ document }: { document: Document }) {
  const { t } = useTranslation();
  const contracts = useContracts();
  const { data = [] } = useLinks(document);
  if (data.length === 0) return null;
  const ours = new Set(contracts.data?.map(({ entity_type }) => entity_type));
  return (
    <Card component="section" aria-labelledby="links-title">
      <Title order={2} size="h3" mb="xs" id="links-title">
        {t("documents.links")}
      </Title>
      <ul className={classes.waiting}>
        {data.map(({ link_id, type, id, relation }) => (
          <li key={link_id}>
            <Text size="sm">
              {spoken(relation)}:{" "}
              {ours.has(type) ? (
                <TextLink to="/documents/$documentId" params={{ documentId: id }}>
                  {spoken(type)}
                </TextLink>
              ) : (
                <>
                  {spoken(type)} <Code>{id}</Code>
                </>
              )}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  );
}
