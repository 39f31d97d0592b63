/** Permissions to tick, by area. What the person lacks cannot be ticked: nobody hands out more than they have. */
import { Checkbox, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { coverage, type PermissionGroup } from "../session/permissions";
import classes from "./PermissionPicker.module.css";
import { useWords } from "./useWords";

interface Props {
  groups: readonly PermissionGroup[];
  chosen: ReadonlySet<string>;
  /** Those that may be ticked; none for reading only. */
  offered: ReadonlySet<string>;
  onChange: (chosen: Set<string>) => void;
}

export function PermissionPicker({ groups, chosen, offered, onChange }: Props) {
  const { t } = useTranslation();
  const words = useWords();
  const set = (names: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const name of names) {
      if (on) next.add(name);
      else next.delete(name);
    }
    onChange(next);
  };
  return (
    <Stack gap="md">
      {groups.map((group) => {
        const able = group.permissions.map((permission) => permission.name).filter((name) => offered.has(name));
        const covered = coverage(group, chosen);
        return (
          <fieldset key={group.area} className={classes.group}>
            <legend className={classes.legend}>
              <Checkbox
                size="sm"
                label={words.area(group.area)}
                checked={covered === "all"}
                indeterminate={covered === "some"}
                disabled={able.length === 0}
                onChange={(event) => set(able, event.currentTarget.checked)}
              />
            </legend>
            {group.permissions.map(({ name, verb, description }) => (
              <Checkbox
                key={name}
                size="sm"
                label={<code>{verb}</code>}
                aria-label={name}
                description={words.permission(name, description)}
                checked={chosen.has(name)}
                disabled={!offered.has(name)}
                onChange={(event) => set([name], event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        );
      })}
      {groups.length === 0 && <Text c="dimmed">{t("roles.empty")}</Text>}
    </Stack>
  );
}
