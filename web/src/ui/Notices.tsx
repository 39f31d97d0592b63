/** Where `done` says its words: fetched when it first has some. What is said until it is there is kept, and shown then. */
import { Suspense, useSyncExternalStore } from "react";
import { later } from "./later";
import { spoken } from "./spoken";

const Notifications = later(() => import("./Notifications").then((module) => module.Notifications), () => null);

export function Notices() {
  const wanted = useSyncExternalStore(spoken.subscribe, spoken.get);
  return <Suspense fallback={null}>{wanted && <Notifications />}</Suspense>;
}
