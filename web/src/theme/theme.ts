/**
 * The look of the console. Kelp on rock: warm paper and deep water as grounds, one green for what can be done, ochre and
 * rust only where something deserves attention. The grounds themselves are in `tokens.css`.
 */
import type {
  BadgeProps,
  ButtonProps,
  CardProps,
  CSSVariablesResolver,
  DrawerProps,
  MantineColorsTuple,
  MantineThemeOverride,
  ModalProps,
  TableProps,
  TooltipProps,
} from "@mantine/core";

const kelp: MantineColorsTuple = [
  "#edf4f0", "#d9e7df", "#b4d0c2", "#8db9a5", "#6ca58d", "#4c8a73", "#386f5b", "#2b5a4a", "#21473b", "#17342b",
];
const ochre: MantineColorsTuple = [
  "#faf3e3", "#f2e4c4", "#e6cc92", "#dab45f", "#cd9c3c", "#b28128", "#8a621a", "#6d4c12", "#52390d", "#3a2808",
];
const rust: MantineColorsTuple = [
  "#fbeeea", "#f4d7ce", "#eab3a3", "#df8d77", "#d36b52", "#bd4f36", "#a03d27", "#83301d", "#642415", "#47190e",
];
const slate: MantineColorsTuple = [
  "#f2f3ef", "#e4e6e0", "#cdd1c9", "#b0b6ad", "#949c92", "#757e75", "#5b645c", "#474f49", "#333a35", "#222824",
];
const dark: MantineColorsTuple = [
  "#e2e8e3", "#c3ccc6", "#98a49e", "#6d7a75", "#3d4b48", "#2b3937", "#1f2c2b", "#172322", "#111b1b", "#0c1414",
];

/** What a component is like unless its place says otherwise. Types alone: naming a component must not load it. */
const usually = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

export const theme: MantineThemeOverride = {
  primaryColor: "kelp",
  primaryShade: { light: 7, dark: 6 },
  colors: { kelp, ochre, rust, slate, dark },
  black: "#1b2421",
  fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, monospace",
  headings: {
    fontFamily: "'Newsreader Variable', Georgia, serif",
    fontWeight: "500",
    sizes: {
      h1: { fontSize: "2rem", lineHeight: "1.2" },
      h2: { fontSize: "1.35rem", lineHeight: "1.3" },
      h3: { fontSize: "1.125rem", lineHeight: "1.35" },
    },
  },
  fontSizes: { xs: "0.78rem", sm: "0.875rem", md: "0.9375rem", lg: "1.0625rem", xl: "1.25rem" },
  defaultRadius: "md",
  radius: { xs: "2px", sm: "4px", md: "6px", lg: "10px", xl: "16px" },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Button: usually<ButtonProps>({ size: "sm" }),
    Badge: {
      ...usually<BadgeProps>({ variant: "light", radius: "sm" }),
      // A badge is as wide as its word, in a narrow cell too.
      styles: { root: { textTransform: "none", fontWeight: 500, letterSpacing: 0, flex: "none" }, label: { overflow: "visible" } },
    },
    Card: usually<CardProps>({ withBorder: true, padding: "lg", radius: "lg" }),
    Drawer: usually<DrawerProps>({ position: "right", size: 520, padding: "lg" }),
    Modal: usually<ModalProps>({ centered: true, radius: "lg", padding: "lg" }),
    // The head of a dialog is no banner of the page.
    ModalHeader: { defaultProps: { component: "div" } },
    DrawerHeader: { defaultProps: { component: "div" } },
    Table: usually<TableProps>({ verticalSpacing: "sm", horizontalSpacing: "md" }),
    Tooltip: usually<TooltipProps>({ withArrow: true, multiline: true, maw: 280, events: { hover: true, focus: true, touch: true } }),
  },
};

/** Mantine's own grounds follow ours, and its quieter texts keep enough contrast on them. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "var(--ground)",
    "--mantine-color-text": "#1b2421",
    "--mantine-color-dimmed": "#57615b",
    "--mantine-color-placeholder": "#6b756f",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-hover": "#f3f1e9",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-color-anchor": "#24584a",
    "--mantine-color-disabled": "#edebe2",
    "--mantine-color-disabled-color": "#7d867f",
    "--mantine-color-disabled-border": "#dcd9cd",
    "--mantine-color-gray-1": "#f1efe7",
    "--mantine-color-gray-3": "#e4e1d6",
    "--mantine-color-gray-4": "#cbc8ba",
    "--mantine-color-error": "#a03d27",
    "--mantine-color-kelp-light": "#e2eee7",
    "--mantine-color-kelp-light-color": "#21473b",
    "--mantine-color-ochre-light": "#f7ebcf",
    "--mantine-color-ochre-light-color": "#5e410f",
    "--mantine-color-rust-light": "#fae3dc",
    "--mantine-color-rust-light-color": "#83301d",
    "--mantine-color-slate-light": "#eceee8",
    "--mantine-color-slate-light-color": "#474f49",
  },
  dark: {
    "--mantine-color-body": "var(--ground)",
    "--mantine-color-text": "#dfe6e1",
    "--mantine-color-dimmed": "#98a49e",
    "--mantine-color-placeholder": "#8a9791",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-hover": "#1e2b2a",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-color-anchor": "#9cc9b6",
    "--mantine-color-disabled": "#1d2927",
    "--mantine-color-disabled-color": "#7c8983",
    "--mantine-color-disabled-border": "#2b3937",
    "--mantine-color-error": "#ea9a86",
    "--mantine-color-kelp-light": "#1f3a32",
    "--mantine-color-kelp-light-color": "#a9d3c1",
    "--mantine-color-ochre-light": "#3a2f17",
    "--mantine-color-ochre-light-color": "#e6cc92",
    "--mantine-color-rust-light": "#43231b",
    "--mantine-color-rust-light-color": "#f0b5a5",
    "--mantine-color-slate-light": "#253230",
    "--mantine-color-slate-light-color": "#bcc7c1",
  },
});
