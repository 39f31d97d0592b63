/** Which libraries travel together. What the canvas needs is a chunk of its own: it is loaded when a canvas is looked at. */
export const chunks = {
  groups: [
    { name: "canvas-parts", test: /node_modules[\\/](@xyflow|@dagrejs|d3-[a-z]+|zustand|classcat)[\\/]/, priority: 20 },
    { name: "form-parts", test: /node_modules[\\/]@cfworker[\\/]/, priority: 20 },
    { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 10 },
    { name: "mantine", test: /node_modules[\\/](@mantine|@floating-ui)[\\/]/, priority: 10 },
    { name: "parts", test: /node_modules[\\/]/, priority: 1 },
  ],
};
