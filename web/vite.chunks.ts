/**
 * What travels together. The libraries of the first page are apart from our own code: they change rarely, and stay in the
 * browser's cache when ours does not. Of the rest, what most pages share comes in four pieces rather than in thirty; everything
 * else goes where it is used, so that no page waits for another page's parts.
 */
import type { Rolldown } from "vite";

const library = (path: string) => new RegExp(`node_modules/(${path})/`.replaceAll("/", "[\\\\/]"));
const component = (names: string) => library(`@mantine/core/esm/components/(${names})`);

export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: "react", test: library("react|react-dom|scheduler"), tags: ["$initial"], priority: 9 },
    { name: "mantine", test: library("@mantine|@floating-ui"), tags: ["$initial"], priority: 9 },
    { name: "parts", test: /node_modules/, tags: ["$initial"], priority: 8 },
    { name: "basics", test: library("@mantine/core/esm/core|@mantine/hooks/esm/(use-merged-ref|use-uncontrolled)|@mantine/core/esm/components/(Badge|Card|CloseButton|Divider|Paper|Skeleton)"), priority: 7 },
    // What finds a place for a menu or a hint comes with the first of them; what others need of it is above, or they would bring it along.
    { name: "floating", test: library("@floating-ui|@mantine/core/esm/components/(FocusTrap|Portal|Tooltip|Transition)"), priority: 6 },
    // The pure parts of the canvas: without it they would travel with a page, and the page with every canvas.
    { name: "drawing", test: /src[\\/]canvas[\\/](slotTitle|useNodeNames)\./, priority: 5 },
    { name: "dialogs", test: component("Drawer|Modal|ModalBase|Overlay"), priority: 5 },
  ],
};
