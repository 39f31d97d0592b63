/** The messages of a session as they come: from the first one on after every load, and on from the last one after a cut. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type SessionMessage, sessionKeys } from "../../api/sessions";
import { isObject, parse } from "../../json/json";
import type { LiveState } from "../../live/protocol";
import { openStream } from "../../live/stream";
import { useSignedIn } from "../../session/SignedIn";
import { session } from "../../session/store";
import { credentials } from "../../session/token";
import { joined } from "./messages";

export function useMessages(name: string): { messages: readonly SessionMessage[]; state: LiveState } {
  const { tenant } = useSignedIn();
  const cache = useQueryClient();
  const [messages, setMessages] = useState<readonly SessionMessage[]>([]);
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const { token } = session.get();
    const renew = () => void cache.invalidateQueries({ queryKey: sessionKeys.all });
    const stream = openStream({
      address: () => `/v1/${encodeURIComponent(tenant)}/sessions/${encodeURIComponent(name)}/events`,
      headers: () => (token ? credentials(token) : {}),
      onState: setState,
      onMissed: renew,
      onMessage: ({ event, data }) => {
        // Nothing follows the end; another session of that name is another page.
        if (event === "end") stream.close();
        else {
          const came = parse(data);
          if (isObject(came)) setMessages((known) => joined(known, [came as unknown as SessionMessage]));
        }
        if (event !== "workflow_progress") renew();
      },
    });
    return () => stream.close();
  }, [cache, name, tenant]);
  return { messages, state };
}
