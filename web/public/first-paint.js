// Runs before anything is drawn, so that a dark screen never flashes white. A file of its own: the content policy
// refuses inline scripts.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("holdfast.theme");
  } catch {
    // Storage may be switched off; the system's preference stands then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
