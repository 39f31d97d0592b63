/** The keys of a namespace. Only rows near what is looked at are drawn, and the next page is fetched before its place comes into view. */
import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../../api/data";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { When } from "../../ui/When";
import classes from "./DataPage.module.css";
import type { DataPlace } from "./filter";
import { windowOf } from "./model";

const HEIGHT = 40;
/** The list is never higher than this; see the style. */
const VISIBLE = 640;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 100;

export function KeyList({ place, namespace }: { place: DataPlace; namespace: string }) {
  const { t } = useTranslation();
  const query = useKeys(namespace, place.prefix ?? "");
  return (
    <Loaded query={query} lines={8} height={32} inset>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.items);
        if (entries.length === 0) return <Notice>{t(place.prefix ? "data.no_match" : "data.no_keys")}</Notice>;
        return <Rows key={`${namespace} ${place.prefix ?? ""}`} entries={entries} place={place} query={query} />;
      }}
    </Loaded>
  );
}

type Query = ReturnType<typeof useKeys>;
type Rowed = NonNullable<Query["data"]>["pages"][number]["items"];

function Rows({ entries, place, query }: { entries: Rowed; place: DataPlace; query: Query }) {
  const { t } = useTranslation();
  const [top, setTop] = useState(0);
  const { from, upto } = windowOf(entries.length, HEIGHT, top, VISIBLE);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const near = upto > entries.length - AHEAD;
  useEffect(() => {
    if (near && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [near, hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <>
      <div className={classes.scroll} data-keys onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <ul className={classes.rows} style={{ height: entries.length * HEIGHT }} aria-label={t("data.keys")}>
          {entries.slice(from, upto).map((entry, at) => (
            <li key={entry.key} style={{ top: (from + at) * HEIGHT }} aria-setsize={hasNextPage ? -1 : entries.length} aria-posinset={from + at + 1}>
              <Link className={classes.row} to="/data" search={{ ...place, key: entry.key }} resetScroll={false} preload={false}>
                <code>{entry.key}</code>
                <span>{t(`data.type_${entry.value_type as "json"}`)}</span>
                <span>
                  <When at={entry.updated_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <Group px="md" py="xs" justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {t(hasNextPage ? "data.loaded_so_far" : "data.loaded_all", { count: entries.length })}
        </Text>
      </Group>
    </>
  );
}
