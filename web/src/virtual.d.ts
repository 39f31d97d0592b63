/** What `vite.mantine.ts` makes. */
declare module "virtual:mantine-styles";

/** What `vite.words.ts` makes. */
declare module "virtual:words" {
  interface Loaded {
    default: Partial<import("./i18n/words").Words>;
  }
  type Later = Record<import("./i18n/volumes").Later, () => Promise<Loaded>>;
  const words: Record<import("./i18n/language").Translated, () => Promise<Loaded & { later: Later }>>;
  export default words;
}
