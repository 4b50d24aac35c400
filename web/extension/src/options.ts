/** The options page. A site is on when the browser has granted it; all else is kept in the extension's storage. */

import { bytes } from "../../demo/format.js";
import { isPublicKey } from "../../package/src/known.js";
import { byId, make } from "../../package/src/ui/dom.js";
import {
  indexRow,
  type KnownIndex,
  ownIndex,
  passagesOf,
  shippedIndexes,
  withIndex,
} from "../../package/src/ui/index-library.js";
import { SEEN_BY_WIKI, WikiChoice } from "../../package/src/ui/wiki-choice.js";
import { fetchAdapters, PUBLISHED, parses, Refused, selectorsOf } from "./adapters.js";
import { giveBack, HOST } from "./leave.js";
import { openOwnFiles, removeOwnFiles } from "./own-files.js";
import { loadPreferences, OWN_FILES, type Preferences, savePreferences } from "./preferences.js";
import { patternOf, SITES, type Site, siteById } from "./sites.js";
import { leaveFor, mayAsk, requestLeave } from "./wiki-leave.js";

const sites = byId("sites", HTMLElement);
const hosts = byId("hosts", HTMLElement);
const adapter = byId("adapter", HTMLSelectElement);
const address = byId("address", HTMLInputElement);
const backend = byId("backend", HTMLSelectElement);
const preset = byId("preset", HTMLSelectElement);
const wikiAddress = byId("wiki-address", HTMLInputElement);
const wikis = new WikiChoice(byId("wiki", HTMLSelectElement), wikiAddress);
const saved = byId("saved", HTMLElement);

adapter.append(...SITES.filter(({ origins }) => origins.length === 0).map(({ id, name }) => new Option(name, id)));
byId("host", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void addHost();
});
byId("engine", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void save();
});
byId("wiki-seen", HTMLElement).textContent = SEEN_BY_WIKI;
for (const changed of [chrome.permissions.onAdded, chrome.permissions.onRemoved])
  changed.addListener(() => {
    void showSites();
    void showWikiLeave();
  });
byId("update-adapters", HTMLButtonElement).addEventListener("click", () => void updateAdapters());
byId("own-adapters", HTMLButtonElement).addEventListener("click", () => void dropAdapters());
openOwnFiles(() => void showOwnFiles(true));
document.getElementById(location.hash.slice(1))?.focus(); // an error in the panel leads to one option
void showSites();
void showAdapters();
void showEngine();
void showIndexes();

// --- sites -----------------------------------------------------------------------------------------------------------

async function showSites(): Promise<void> {
  const own = Object.entries((await loadPreferences()).hosts);
  sites.replaceChildren(...(await Promise.all(SITES.filter(({ origins }) => origins.length > 0).map(siteRow))));
  hosts.replaceChildren(...own.map(([origin, id]) => hostRow(origin, siteById(id)?.name ?? id)));
}

async function siteRow({ name, origins }: Site): Promise<HTMLElement> {
  const patterns = origins.map(patternOf);
  const box = make("input", "");
  box.type = "checkbox";
  box.checked = await chrome.permissions.contains({ origins: patterns });
  box.addEventListener("change", () => {
    // Asked at once, while the click lasts.
    const asked = box.checked
      ? chrome.permissions.request({ origins: patterns })
      : chrome.permissions.remove({ origins: patterns });
    asked.catch(() => undefined).then(showSites);
  });
  return make(
    "li",
    "",
    make("label", "", box, name, make("span", "hint", origins.map((origin) => new URL(origin).host).join(", "))),
  );
}

function hostRow(origin: string, name: string): HTMLElement {
  const remove = make("button", "", "Remove");
  remove.type = "button";
  remove.setAttribute("aria-label", `Remove ${origin}`);
  remove.addEventListener("click", () => void removeHost(origin));
  return make("li", "", name, make("span", "hint", origin), remove);
}

async function addHost(): Promise<void> {
  const origin = webOrigin(address.value);
  say("address", origin ? "" : "This is no web address: it begins with https:// or http://");
  if (!origin) return;
  const granted = await chrome.permissions.request({ origins: [patternOf(origin)] });
  if (!granted) return say("address", "Without leave to read this address, Evident cannot check what is said there.");
  const known = await loadPreferences();
  await savePreferences({ hosts: { ...known.hosts, [origin]: adapter.value } });
  address.value = "";
  await showSites();
}

async function removeHost(origin: string): Promise<void> {
  const { [origin]: _, ...others } = (await loadPreferences()).hosts;
  await savePreferences({ hosts: others });
  giveBack([patternOf(origin)]);
  await showSites();
}

function webOrigin(text: string): string | null {
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}

// --- adapters --------------------------------------------------------------------------------------------------------

/** Says which adapters are used, after what has just been done. */
async function showAdapters(done = ""): Promise<void> {
  if (!PUBLISHED) return;
  const { adapters } = await loadPreferences();
  const read = SITES.filter(({ id }) => selectorsOf(adapters, id));
  byId("adapters-host", HTMLElement).textContent = new URL(PUBLISHED.address).host;
  const used = read.length
    ? `Version ${adapters.version} reads ${read.map(({ name }) => name).join(", ")}, in pages opened from now on.`
    : "The extension's own are used.";
  byId("adapters-status", HTMLElement).textContent = `${done} ${used}`.trim();
  byId("own-adapters", HTMLElement).hidden = read.length === 0;
  byId("adapters", HTMLElement).hidden = false;
}

async function updateAdapters(): Promise<void> {
  if (!PUBLISHED) return;
  const button = byId("update-adapters", HTMLButtonElement);
  button.disabled = true;
  say("adapters", "");
  let done = "";
  try {
    const { adapters } = await loadPreferences();
    const found = await fetchAdapters(PUBLISHED, adapters, parses);
    if (found.version === adapters.version && Object.keys(adapters.sites).length > 0) done = "Nothing newer was there.";
    else await savePreferences({ adapters: found });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say("adapters", `These adapters were not taken, and those before stay. ${error.message}`);
  } finally {
    button.disabled = false;
  }
  await showAdapters(done);
}

/** The version is kept: an older one is still refused. */
async function dropAdapters(): Promise<void> {
  const { adapters } = await loadPreferences();
  await savePreferences({ adapters: { ...adapters, sites: {} } });
  await showAdapters();
}

// --- engine ----------------------------------------------------------------------------------------------------------

const ADDRESSES = ["pack", "index"] as const;
const HASHES = ["packHash", "indexHash"] as const;
const KEYS = ["packKey", "indexKey"] as const;
const NUMBERS = ["evidence", "unfactualBelow", "factualFrom"] as const;

async function showEngine(): Promise<void> {
  const chosen = await loadPreferences();
  for (const name of [...ADDRESSES, ...HASHES, ...KEYS]) byId(name, HTMLInputElement).value = chosen[name];
  for (const name of NUMBERS) byId(name, HTMLInputElement).value = chosen[name]?.toString() ?? "";
  backend.value = chosen.backend;
  preset.value = chosen.preset;
  wikis.wiki = chosen.wiki;
  await showWikiLeave();
}

/** Says so if the browser does not let the chosen wiki be asked. */
async function showWikiLeave(): Promise<void> {
  const { wiki } = await loadPreferences();
  const isSilent = wiki !== "" && !(await mayAsk(wiki));
  say(
    "wiki",
    isSilent ? "The browser no longer lets Evident ask this wiki, so it is not asked. Save, and allow it." : "",
  );
}

async function save(): Promise<void> {
  saved.textContent = "";
  const chosen: Partial<Preferences> = {
    backend: backend.value as Preferences["backend"],
    preset: preset.value as Preferences["preset"],
  };
  let wrong: HTMLElement | null = null;
  for (const name of ADDRESSES) {
    const field = byId(name, HTMLInputElement);
    const isOwn = name === "index" && field.value.trim().toLowerCase() === OWN_FILES;
    const directory = isOwn ? OWN_FILES : directoryOf(field.value);
    say(
      name,
      directory === null
        ? "This is no address that can be used: it begins with https://, or with http://localhost"
        : "",
    );
    if (directory === null) wrong ??= field;
    else chosen[name] = directory;
  }
  for (const name of HASHES) {
    const field = byId(name, HTMLInputElement);
    const hash = field.value.trim().toLowerCase();
    const isRight = /^([0-9a-f]{64})?$/.test(hash);
    say(name, isRight ? "" : "This is no SHA-256: it has 64 hexadecimal digits");
    if (!isRight) wrong ??= field;
    else chosen[name] = hash;
  }
  for (const name of KEYS) {
    const field = byId(name, HTMLInputElement);
    const key = field.value.trim();
    const isRight = !key || isPublicKey(key);
    say(name, isRight ? "" : "This is no public key of minisign: it has 56 characters, of which the first are RW");
    if (!isRight) wrong ??= field;
    else chosen[name] = key;
  }
  for (const name of NUMBERS) {
    const field = byId(name, HTMLInputElement);
    say(name, field.validity.valid ? "" : field.validationMessage);
    if (!field.validity.valid) wrong ??= field;
    else chosen[name] = field.value === "" ? null : field.valueAsNumber;
  }
  const wiki = wikis.isOther ? apiOf(wikis.wiki) : wikis.wiki;
  say(
    "wiki",
    wiki === null
      ? "This is no address of a wiki: it begins with https://, or with http://localhost, and ends with /api.php"
      : "",
  );
  if (wiki === null) wrong ??= wikiAddress;
  else chosen.wiki = wiki;
  if (wrong) return wrong.focus();
  // Asked before anything is waited for, while the click lasts.
  if (wiki && !(await requestLeave(wiki))) {
    say(
      "wiki",
      "Without leave to ask this wiki, Evident does not ask it, and nothing is saved. Choose another, or none.",
    );
    return byId("wiki", HTMLSelectElement).focus();
  }
  if (!(await named(chosen.index ?? ""))) {
    if (wiki) giveBack(leaveFor(wiki).origins);
    return byId("index", HTMLInputElement).focus();
  }
  await savePreferences(chosen);
  await showEngine();
  await showIndexes();
  saved.textContent = "Saved. What is checked from now on goes by it.";
}

/** Tries an index before it is kept; one that nobody listed joins the list. "" is the one in the extension. */
async function named(address: string): Promise<boolean> {
  const { indexes, index, ownFiles } = await loadPreferences();
  if (address === OWN_FILES && !ownFiles) {
    say("index", "No index of your files is kept here: choose them below.");
    return false;
  }
  if (!address || address === OWN_FILES || address === index) return true;
  saved.textContent = "Looking at the index.";
  const passages = await passagesOf(address);
  saved.textContent = "";
  if (passages === null) {
    say("index", "There is no index at this address, or its host lets no other site read it.");
    return false;
  }
  const isListed = (await shippedIndexes(LIST)).some((known) => known.address === address);
  if (!isListed) await savePreferences({ indexes: withIndex(indexes, ownIndex(address, passages)) });
  return true;
}

/** The list that comes with the extension. */
const LIST = chrome.runtime.getURL("indexes.json");

async function showIndexes(): Promise<void> {
  const { indexes, ownFiles } = await loadPreferences();
  const [shipped, own] = ["index/", "own-files/"].map((path) => chrome.runtime.getURL(path)) as [string, string];
  const row = (known: KnownIndex, onRemove?: () => void) =>
    indexRow(
      known,
      bytes,
      () => {
        const { address } = known;
        byId("index", HTMLInputElement).value = address === shipped ? "" : address === own ? OWN_FILES : address;
        void save();
      },
      onRemove,
    );
  byId("indexes", HTMLElement).replaceChildren(
    ...(await shippedIndexes(LIST)).map((known) => row(known)),
    ...(ownFiles ? [row({ name: "Your files", address: own, licence: "", ...ownFiles }, removeOwn)] : []),
    ...indexes.map((known) =>
      row(known, () => {
        const others = indexes.filter(({ address }) => address !== known.address);
        void savePreferences({ indexes: others }).then(showIndexes);
      }),
    ),
  );
}

function removeOwn(): void {
  void removeOwnFiles().then(() => showOwnFiles(false));
}

/** Shows that the reader's files have come or gone; what else is in the form stays as it is. */
async function showOwnFiles(areThere: boolean): Promise<void> {
  const field = byId("index", HTMLInputElement);
  if (areThere) field.value = OWN_FILES;
  else if (field.value === OWN_FILES) field.value = "";
  say("index", "");
  await showIndexes();
}

/** The address as a directory's, "" for none; null where it is neither by https nor of this computer. */
function directoryOf(text: string): string | null {
  if (!text.trim()) return "";
  return addressOf(text)?.replace(/\/?$/, "/") ?? null;
}

/** The address as that of an api.php; null where it is none, or neither by https nor of this computer. */
function apiOf(text: string): string | null {
  const address = addressOf(text);
  return address && HOST.test(new URL(address).hostname) && /^[^?#@]+\/api\.php$/.test(address) ? address : null;
}

/** An address, written out; null where it is neither by https nor of this computer. */
function addressOf(text: string): string | null {
  const url = URL.parse(text.trim());
  const isHere = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  return url && (url.protocol === "https:" || isHere) ? url.href : null;
}

function say(field: string, message: string): void {
  byId(`${field}-wrong`, HTMLElement).textContent = message;
}
