/**
 * The registry of pages: what the menu lists, in which order, and for whom. A new part of the product adds its line here
 * and its `routes.ts` to `router.tsx`.
 */
import {
  type Icon,
  IconAnchor,
  IconBuilding,
  IconCalendarClock,
  IconDatabase,
  IconFileText,
  IconHeartbeat,
  IconHistory,
  IconInbox,
  IconKey,
  IconMessages,
  IconListCheck,
  IconPlayerPlay,
  IconRoute,
  IconShieldCheck,
  IconSend,
  IconSitemap,
  IconUsers,
} from "@tabler/icons-react";
import type { RegisteredRouter } from "@tanstack/react-router";
import type { Words } from "../i18n/words";

/** An address that there is and that needs nothing filled in. */
type Address = Exclude<RegisteredRouter["routesByPath"] extends infer Routes ? keyof Routes : never, `${string}$${string}`>;

export interface Destination {
  to: Address;
  label: Exclude<keyof Words["nav"], `group_${string}`>;
  icon: Icon;
  /** Those without it do not see the page in the menu; the page itself says why when they come by its address. */
  needs?: string;
}

export interface NavigationGroup {
  label?: Extract<keyof Words["nav"], `group_${string}`>;
  destinations: readonly Destination[];
}

export const NAVIGATION: readonly NavigationGroup[] = [
  { destinations: [{ to: "/", label: "home", icon: IconAnchor }] },
  {
    label: "group_work",
    destinations: [
      { to: "/inbox", label: "inbox", icon: IconInbox },
      { to: "/documents", label: "documents", icon: IconFileText, needs: "documents:read" },
      { to: "/processes", label: "processes", icon: IconRoute, needs: "processes:read" },
      { to: "/sessions", label: "sessions", icon: IconMessages, needs: "sessions:read" },
    ],
  },
  {
    label: "group_design",
    destinations: [
      { to: "/workflows", label: "workflows", icon: IconSitemap, needs: "processes:design" },
      { to: "/automations", label: "automations", icon: IconRoute, needs: "processes:design" },
      { to: "/parts", label: "parts", icon: IconListCheck, needs: "processes:design" },
    ],
  },
  {
    label: "group_operate",
    destinations: [
      { to: "/health", label: "health", icon: IconHeartbeat, needs: "runs:read" },
      { to: "/runs", label: "runs", icon: IconPlayerPlay, needs: "runs:read" },
      { to: "/schedules", label: "schedules", icon: IconCalendarClock, needs: "schedules:read" },
      { to: "/deliveries", label: "deliveries", icon: IconSend, needs: "outbox:read" },
      { to: "/data", label: "data", icon: IconDatabase, needs: "data:read" },
    ],
  },
  { label: "group_record", destinations: [{ to: "/audit", label: "audit", icon: IconHistory, needs: "audit:read" }] },
  {
    label: "group_access",
    destinations: [
      { to: "/users", label: "users", icon: IconUsers, needs: "users:read" },
      { to: "/roles", label: "roles", icon: IconShieldCheck, needs: "users:read" },
      { to: "/tokens", label: "tokens", icon: IconKey },
      { to: "/settings", label: "settings", icon: IconBuilding, needs: "tenant:read" },
    ],
  },
];

/** What somebody sees of it; groups that would be empty are left out. */
export function navigationFor(may: (permission: string) => boolean): NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    destinations: group.destinations.filter(({ needs }) => !needs || may(needs)),
  })).filter((group) => group.destinations.length > 0);
}
