// Runs before anything is drawn. A file of its own: the content policy refuses inline scripts. Storage may be switched off;
// then the system's preferences stand.
(function () {
  // So that a dark screen never flashes white.
  var chosen = read("localStorage", "holdfast.theme");
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");

  // What the build wrote on this script is fetched beside the rest, or the page would wait for it after the rest. Only the wait
  // is at stake here: i18n/language.ts and the session decide, and load what was not fetched.
  var files = document.currentScript.dataset;
  var asked = (/[?&]locale=([^&]*)/.exec(location.search) || [])[1] || read("sessionStorage", "holdfast.locale");
  var spoken = [asked, read("localStorage", "holdfast.language")].concat(navigator.languages, "en");
  var words = spoken.map(wordsOf).find(Boolean);
  var signedIn = read("sessionStorage", "holdfast.token") || location.hash.indexOf("#token=") === 0;
  fetchAhead(words);
  if (!signedIn) fetchAhead(files.signIn);

  function wordsOf(tag) {
    var base = String(tag).toLowerCase().split("-")[0];
    return files["words" + base.charAt(0).toUpperCase() + base.slice(1)];
  }

  function fetchAhead(list) {
    (list || "").split(" ").filter(Boolean).forEach(function (file) {
      var link = document.createElement("link");
      var style = /\.css$/.test(file);
      link.rel = style ? "preload" : "modulepreload";
      if (style) link.as = "style";
      link.crossOrigin = "";
      link.href = file;
      document.head.appendChild(link);
    });
  }

  function read(storage, key) {
    try {
      return window[storage].getItem(key);
    } catch {
      return null;
    }
  }
})();
