/** Apart, so that it can be loaded late without the rest of its library. */
export { Tooltip } from "@mantine/core";
