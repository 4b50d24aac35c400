/**
 * The background: a service worker in Chrome, an event page in Firefox. It keeps no state but the options, so that it
 * may end at any time: it brings the desk to life when somebody needs it, injects the content script where the reader
 * allowed it, and hears the icon, the context menu and the keyboard shortcut.
 */

import { Wording } from "../../package/src/ui/strings.js";
import { highlightRules } from "../../package/src/ui/style.js";
import { selectorsOf } from "./adapters.js";
import {
  type Asked,
  type AskSite,
  type Badge,
  type CheckSelection,
  type GiveBack,
  isPrefix,
  type OpenPanel,
  type SiteChanged,
  type StyleMarks,
  type ToldSite,
  type Wake,
} from "./messages.js";
import { LISTS, loadPreferences, type Order, orderOf } from "./preferences.js";
import { isBroad, patternOf, siteOf, sitePatterns } from "./sites.js";
import { concerns, leaveFor, leaveToSend, mayAsk, type Permissions } from "./wiki-leave.js";

const wording = new Wording({}, "en");

/** What the browsers do each in their own way. */
export interface Browser {
  /** Sees to it that the desk is there. */
  wake(order: Order): Promise<void>;
  /** Ends the desk; whoever needs it wakes it again. */
  restart(): Promise<void>;
  /** Opens the panel beside a tab, from within a gesture of the reader's. */
  openPanel(tab: chrome.tabs.Tab): Promise<void>;
}

type Message = Wake | AskSite | StyleMarks | OpenPanel | Badge | GiveBack | CheckSelection;

/** The name of the context menu's entry and of the keyboard's command. */
const CHECK = "check-selection";
/** The content script's registration. */
const SCRIPT = "answers";
const FILES = { js: ["content.js"] };

/**
 * Adds all listeners. To be called once and at once: a browser wakes a background only for listeners that its first
 * turn of the event loop has added.
 */
export function attend(browser: Browser): void {
  chrome.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === "install") void chrome.tabs.create({ url: "welcome.html" });
    chrome.contextMenus.removeAll(() =>
      chrome.contextMenus.create({ id: CHECK, title: "Check with Evident", contexts: ["selection"] }),
    );
    void inject();
    void giveBackRest();
  });
  chrome.runtime.onStartup.addListener(() => {
    void inject();
    void giveBackRest();
  });
  const onSites = () => void inject().then(tellPages);
  const onLeave = (changed: Permissions) => {
    onSites();
    // The desk asks the wiki that it was made with.
    void loadPreferences().then(({ wiki }) => (concerns(changed, wiki) ? browser.restart() : undefined));
  };
  chrome.permissions.onAdded.addListener(onLeave);
  chrome.permissions.onRemoved.addListener(onLeave);
  chrome.storage.onChanged.addListener((changed) => {
    if ("hosts" in changed || "paused" in changed) onSites();
    if (Object.keys(changed).some((name) => !LISTS.some((list) => list === name)))
      void browser.restart().then(giveBackRest);
  });
  // Content scripts only hand in texts to be checked: they cannot read what the reader chose.
  void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

  const check = (tab: chrome.tabs.Tab) => {
    // First, while the gesture lasts; where there is no panel, the marks remain.
    void browser.openPanel(tab).catch(() => undefined);
    if (tab.id !== undefined) void checkSelection(tab.id);
  };
  chrome.action.onClicked.addListener(check);
  chrome.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
    if (menuItemId === CHECK && tab) check(tab);
  });
  chrome.commands.onCommand.addListener((command, tab) => {
    if (command === CHECK && tab) check(tab);
  });

  chrome.runtime.onMessage.addListener((message: Message, sender, answer: (value: unknown) => void) => {
    if (sender.id !== chrome.runtime.id) return;
    const own = sender.url?.startsWith(chrome.runtime.getURL("")) ?? false;
    switch (message.type) {
      case "wake":
        void currentOrder()
          .then((order) => browser.wake(order))
          .then(answer);
        return true; // the answer comes later
      case "ask-site":
        void askSite(sender.url ?? "").then(answer);
        return true;
      case "style-marks":
        void styleMarks(message.prefix, sender).catch(() => undefined); // the page may have gone
        return;
      case "open-panel":
        if (sender.tab) void browser.openPanel(sender.tab).catch(() => undefined);
        return;
      case "badge":
        if (own) showBadge(message);
        return;
      case "give-back":
        if (own) void giveBack(message.origins);
        return;
      case "check-selection":
        if (!own) return;
        void checkSelection(message.tab).then(answer);
        return true;
    }
  });
}

/** What the reader chose, for the desk; without the wiki, if the browser does not let it be asked. */
export async function currentOrder(): Promise<Order> {
  const order = orderOf(await loadPreferences());
  return (await mayAsk(order.wiki)) ? order : { ...order, wiki: "" };
}

async function askSite(url: string): Promise<ToldSite> {
  const { hosts, paused, adapters } = await loadPreferences();
  const { origin } = new URL(url);
  const site = siteOf(origin, hosts);
  if (!site) return { site: null, selectors: null, isOn: false };
  // The reader may have handed over this page of a site that is not on.
  const isOn = !paused.includes(site.id) && (await chrome.permissions.contains({ origins: [patternOf(origin)] }));
  return { site: site.id, selectors: selectorsOf(adapters, site.id), isOn };
}

/** Has the pages that have the content script ask again whether they are to be read. */
async function tellPages(): Promise<void> {
  for (const { id } of await chrome.tabs.query({}))
    if (id !== undefined)
      void chrome.tabs.sendMessage(id, { type: "site-changed" } satisfies SiteChanged).catch(() => undefined);
}

/** The registrations, one after the other: two at once would both register the same script. */
let injected = Promise.resolve();

/** Registers the content script for the sites that are granted, and puts it into those of their pages that are open. */
function inject(): Promise<void> {
  injected = injected.then(register, register);
  return injected;
}

async function register(): Promise<void> {
  const { hosts } = await loadPreferences();
  const patterns = sitePatterns(hosts);
  const granted = await Promise.all(patterns.map((pattern) => chrome.permissions.contains({ origins: [pattern] })));
  const matches = patterns.filter((_, at) => granted[at]);
  await chrome.scripting.unregisterContentScripts();
  if (matches.length === 0) return;
  await chrome.scripting.registerContentScripts([{ id: SCRIPT, matches, ...FILES, runAt: "document_idle" }]);
  for (const { id } of await chrome.tabs.query({ url: matches }))
    if (id !== undefined) void injectInto(id).catch(() => undefined);
}

/**
 * Gives back the permission for hosts, such as those of cited pages. A chatbot's site that is on stays on, and the wiki
 * that the reader chose can still be asked; without one nothing is sent to any.
 */
export async function giveBack(origins: string[]): Promise<void> {
  const { hosts, wiki } = await loadPreferences();
  const kept = [...sitePatterns(hosts), ...(wiki ? leaveFor(wiki).origins : [])];
  const others = origins.filter((pattern) => !kept.includes(pattern));
  const leave: Permissions = { ...(others.length > 0 && { origins: others }), ...(!wiki && leaveToSend()) };
  // A build for tests is granted some from the start, and keeps them.
  if (Object.keys(leave).length > 0) await chrome.permissions.remove(leave).catch(() => undefined);
}

/**
 * Gives back the permission for hosts that is left when the browser or the extension ends during a fetch, or when the
 * reader has chosen another wiki or none.
 */
async function giveBackRest(): Promise<void> {
  const { origins = [] } = await chrome.permissions.getAll();
  await giveBack(origins.filter((pattern) => !isBroad(pattern)));
}

/** Puts the content script into a page; it starts once, however often that is done. */
async function injectInto(tabId: number): Promise<void> {
  await chrome.scripting.executeScript({ target: { tabId }, files: FILES.js });
}

/** Gives a page the style of its marks, in a sheet that its scripts cannot read. */
async function styleMarks(prefix: string, { tab, frameId }: chrome.runtime.MessageSender): Promise<void> {
  if (tab?.id === undefined || frameId === undefined || !isPrefix(prefix)) return;
  await chrome.scripting.insertCSS({ target: { tabId: tab.id, frameIds: [frameId] }, css: highlightRules(prefix) });
}

/** Has a page check what is selected in it. */
async function checkSelection(tab: number): Promise<Asked> {
  try {
    await injectInto(tab);
    return (await chrome.tabs.sendMessage(tab, { type: "check-selection", tab } satisfies CheckSelection)) as Asked;
  } catch {
    return { asked: false }; // a page of the browser's own, or one that nobody gave leave to read
  }
}

/** Shows on the icon what there is to know about a tab. */
export function showBadge({ tab, flagged, mixed, unreadable }: Badge): void {
  const text = unreadable ? "?" : String(flagged || mixed || "");
  const found = [
    flagged ? wording.say("unfactualNumber", { n: flagged }) : "",
    mixed ? wording.say("mixedNumber", { n: mixed }) : "",
  ].filter(Boolean);
  const title = unreadable
    ? "Evident cannot read this site"
    : found.length
      ? `Evident: ${found.join(", ")}`
      : "Evident";
  const color = unreadable ? "#665200" : flagged ? "#a3262a" : "#6b3a94";
  const gone = () => undefined; // the tab was closed
  chrome.action.setBadgeText({ tabId: tab, text }).catch(gone);
  chrome.action.setBadgeBackgroundColor({ tabId: tab, color }).catch(gone);
  chrome.action.setTitle({ tabId: tab, title }).catch(gone);
}
