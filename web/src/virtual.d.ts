/** What `vite.mantine.ts` makes. */
declare module "virtual:mantine-styles";
