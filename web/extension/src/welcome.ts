/** The page that opens after the installation: what Evident does, and a button for each site that it knows. */

import { byId, make } from "../../package/src/ui/dom.js";
import { enableButton, isEnabled } from "./enable.js";
import { patternOf, SITES, type Site } from "./sites.js";

const sites = byId("sites", HTMLElement);
const status = byId("status", HTMLElement);

chrome.permissions.onAdded.addListener(() => void show());
chrome.permissions.onRemoved.addListener(() => void show());
void show();

async function show(): Promise<void> {
  const known = SITES.filter(({ origins }) => origins.length > 0);
  sites.replaceChildren(...(await Promise.all(known.map(row))));
}

async function row(site: Site): Promise<HTMLElement> {
  const hosts = make("span", "hint", site.origins.map((origin) => new URL(origin).host).join(", "));
  if (await isEnabled(site.origins)) return make("li", "", make("strong", "", `${site.name} is on`), hosts);
  return make(
    "li",
    "",
    enableButton(site, site.origins, (granted) => void answered(site, granted)),
    hosts,
  );
}

async function answered({ name, origins }: Site, granted: boolean): Promise<void> {
  await show();
  if (!granted) {
    status.textContent = `Without leave to read ${name}, Evident does nothing there.`;
    return;
  }
  const open = await chrome.tabs.query({ url: origins.map(patternOf) });
  status.textContent =
    open.length > 0
      ? `${name} is on, and its open ${open.length === 1 ? "page is" : "pages are"} read now.`
      : `${name} is on: open it, and its answers are checked as they appear.`;
}
