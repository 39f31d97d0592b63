/** Goes anywhere and does anything that is allowed: pages, people, schedules, data, types of runs, and whatever has the id somebody pasted. */
import { Modal, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNamespaces } from "../api/data";
import { useRunTypes } from "../api/operate";
import { useSchedules, useUsers } from "../api/queries";
import { useSessions } from "../api/sessions";
import type { Words } from "../i18n/words";
import { leave } from "../session/leave";
import { useSignedIn } from "../session/SignedIn";
import { type Command, matching, pastedId } from "./commands";
import classes from "./CommandPalette.module.css";
import { navigationFor } from "./navigation";

type Deed = keyof Words["app"] extends infer Key ? (Key extends `do_${infer Name}` ? Name : never) : never;

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const shown = matching(useCommands(text), text);
  const chosen = Math.min(at, shown.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && shown.length > 0) {
      event.preventDefault();
      const next = (chosen + by + shown.length) % shown.length;
      setAt(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(shown[chosen]);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t("app.go_title")} closeButtonProps={{ "aria-label": t("common.close") }} yOffset="12vh" size="lg">
      <TextInput
        role="combobox"
        aria-label={t("app.go")}
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(shown.length > 0 && { "aria-activedescendant": `${list}-${chosen}` })}
        placeholder={t("app.go_placeholder")}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={text}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label={t("app.go_results")} className={classes.list}>
        {shown.map((command, place) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above takes the keys
          <div key={command.id} id={`${list}-${place}`} role="option" tabIndex={-1} aria-selected={place === chosen} className={classes.option} onClick={() => run(command)}>
            <span className={classes.name}>{command.name}</span>
            <span className={classes.kind}>{command.kind}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <Text c="dimmed" p="sm" role="status">
          {t("app.go_none")}
        </Text>
      )}
    </Modal>
  );
}

function useCommands(text: string): Command[] {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const navigate = useNavigate();
  const users = useUsers();
  const schedules = useSchedules();
  const namespaces = useNamespaces();
  const types = useRunTypes();
  const sessions = useSessions({}, false);
  return useMemo(() => {
    const go = (to: LinkProps) => () => void navigate(to);
    const id = pastedId(text);
    const byId: Command[] = id
      ? [
          ...(may("documents:read") ? [{ id: "id-document", kind: t("app.go_id"), name: t("app.id_document", { id }), run: go({ to: "/documents/$documentId", params: { documentId: id } }) }] : []),
          ...(may("processes:read") ? [{ id: "id-process", kind: t("app.go_id"), name: t("app.id_process", { id }), run: go({ to: "/processes/$instanceId", params: { instanceId: id } }) }] : []),
          ...(may("runs:read") ? [{ id: "id-run", kind: t("app.go_id"), name: t("app.id_run", { id }), run: go({ to: "/runs/$runId", params: { runId: id } }) }] : []),
          ...(may("audit:read") ? [{ id: "id-trail", kind: t("app.go_id"), name: t("app.id_trail", { id }), run: go({ to: "/audit", search: { object: id } }) }] : []),
        ]
      : [];
    const pages = navigationFor(may).flatMap(({ destinations }) =>
      destinations.map(({ to, label }): Command => ({ id: to, kind: t("app.go_page"), name: t(`nav.${label}`), also: to, run: go({ to }) })),
    );
    const deed = (name: Deed, needs: string | null, run: () => void): Command[] =>
      needs === null || may(needs) ? [{ id: name, kind: t("app.go_do"), name: t(`app.do_${name}`), run }] : [];
    return [
      ...byId,
      ...pages,
      ...deed("document", "documents:write", go({ to: "/documents/new" })),
      ...deed("session", "sessions:write", go({ to: "/sessions/new" })),
      ...deed("overdue", "processes:read", go({ to: "/inbox", search: { tab: "overdue" } })),
      ...deed("done", "processes:read", go({ to: "/inbox", search: { tab: "done" } })),
      ...deed("stuck", "processes:read", go({ to: "/processes", search: { stuck: true } })),
      ...deed("failed", "runs:read", go({ to: "/runs", search: { status: "failed" } })),
      ...deed("dead", "effects:read", go({ to: "/deliveries", search: { queue: "effects", status: "dead_letter" } })),
      ...deed("away", null, go({ to: "/you" })),
      ...deed("docs", null, () => window.open("/docs", "_blank", "noopener")),
      ...deed("sign_out", null, () => void leave()),
      ...(users.data?.pages.flatMap((page) => page.items) ?? []).map(({ name, display_name }): Command => ({ id: `user ${name}`, kind: t("app.go_user"), name: display_name || name, also: name, run: go({ to: "/users", search: { user: name } }) })),
      ...(schedules.data?.pages.flatMap((page) => page.items) ?? []).map(({ name }): Command => ({ id: `schedule ${name}`, kind: t("app.go_schedule"), name, run: go({ to: "/schedules", search: { schedule: name } }) })),
      ...(sessions.data?.pages.flatMap((page) => page.items) ?? []).map(({ session_name }): Command => ({ id: `session ${session_name}`, kind: t("app.go_session"), name: session_name, run: go({ to: "/sessions/$sessionName", params: { sessionName: session_name } }) })),
      ...(namespaces.data ?? []).map(({ namespace }): Command => ({ id: `data ${namespace}`, kind: t("app.go_namespace"), name: namespace, run: go({ to: "/data", search: { namespace } }) })),
      ...(types.data ?? []).map(({ type }): Command => ({ id: `type ${type}`, kind: t("app.go_type"), name: type, run: go({ to: "/runs", search: { prefix: type } }) })),
    ];
  }, [text, t, may, navigate, users.data, schedules.data, namespaces.data, types.data, sessions.data]);
}
