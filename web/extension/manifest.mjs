/** The manifest, for both browsers from one source: what they share, and what each has of its own. */

/**
 * An extension page loads nothing but its own files, and fetches only packs, indexes, pages that a text cites, and the
 * answers of a wiki.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types evident-check", // the package's, for the worker
].join("; ");

const ICONS = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/${size}.png`]));

/**
 * What a wiki is sent, by the browser's names for kinds of data: names and words of a page. Nothing is sent unless the
 * reader chooses a wiki, and is asked for it then.
 * https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/
 */
export const SENT_TO_WIKI = { chrome: [], firefox: ["websiteContent"] };

/**
 * @param browser "chrome" or "firefox"
 * @param granted match patterns that are granted without asking: none in what is published; a test has nobody who could
 * be asked
 */
export function manifestFor(browser, { version, granted = [] }) {
  return {
    manifest_version: 3,
    name: "Evident",
    version,
    description: "Checks what chatbots say, sentence by sentence, inside your own browser.",
    icons: ICONS,
    action: { default_title: "Evident: check the selection", default_icon: ICONS },
    options_ui: { page: "options.html", open_in_tab: true },
    commands: {
      "check-selection": { suggested_key: { default: "Alt+Shift+E" }, description: "Check the selected text" },
    },
    // Read the page that the reader hands over by icon, menu or shortcut; put the content script in; keep the options.
    permissions: [
      "activeTab",
      "contextMenus",
      "scripting",
      "storage",
      ...(browser === "chrome" ? ["offscreen", "sidePanel"] : []),
    ],
    ...(granted.length ? { host_permissions: granted } : {}),
    // Asked for one site at a time, in the options, for the hosts of cited pages when the reader has them fetched, and
    // for the host of the wiki that the reader chooses; any address, for some sites are self-hosted.
    optional_host_permissions: ["https://*/*", "http://*/*"],
    content_security_policy: { extension_pages: POLICY },
    ...(browser === "chrome" ? CHROME : FIREFOX),
  };
}

const CHROME = {
  minimum_chrome_version: "123", // light-dark(), and offscreen documents that getContexts knows
  background: { service_worker: "background.js", type: "module" },
  // Its pages are isolated, so that the engine's threads can share a memory.
  cross_origin_embedder_policy: { value: "require-corp" },
  cross_origin_opener_policy: { value: "same-origin" },
  side_panel: { default_path: "panel.html" },
};

const FIREFOX = {
  background: { scripts: ["background.js"], type: "module" },
  sidebar_action: {
    default_panel: "panel.html",
    default_title: "Evident",
    default_icon: ICONS,
    open_at_install: false,
  },
  browser_specific_settings: {
    gecko: {
      id: "evident@evident-check.example",
      strict_min_version: "142.0", // CSS highlights since 140; data_collection_permissions, on Android since 142
      data_collection_permissions: { required: ["none"], optional: SENT_TO_WIKI.firefox },
    },
  },
};
