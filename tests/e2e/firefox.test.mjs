/**
 * The extension as a temporary add-on of the Firefox that is there, on our page of a chatbot that people host
 * themselves. Where there is no Firefox it is skipped. As in extension.test.mjs the build is a test's: one site is
 * granted from the start.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { listen, staticFiles } from "../../web/serve.mjs";
import { PATIENCE_MS, REPOSITORY } from "./browser.mjs";
import { findFirefox, launchFirefox } from "./firefox.mjs";
import { leaked, recordingProxy } from "./safety.mjs";

const ID = "evident@evident-check.example";
const QUESTION = "What do you know about Mars and other things?";
/** Plainly false: any useful model flags one of these, and the test asks no more of the models. */
const FALSE = [
  "Mars has four moons.",
  "Venus is the planet that is closest to the Sun.",
  "The capital of France is Berlin.",
  "The atomic number of carbon is 50.",
];

const firefox = findFirefox();

describe("in Firefox", { skip: firefox ? false : "there is no Firefox: install one, or name it by FIREFOX" }, () => {
  const uuid = randomUUID();
  const own = (path) => `moz-extension://${uuid}/${path}`;
  let folder;
  let site;
  let proxy;
  let marionette;
  let close;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "evident-addon-"));
    execFileSync(process.execPath, [
      `${REPOSITORY}web/extension/build.mjs`,
      "--browser",
      "firefox",
      "--out",
      folder,
      "--grant",
      "http://localhost/*",
    ]);
    const files = staticFiles(`${REPOSITORY}tests/e2e/fixtures/sites`);
    site = await listen((request, response) => {
      if (request.url.startsWith("/c/")) request.url = "/open-webui.html";
      return files(request, response);
    }, 0);
    proxy = await recordingProxy();
    const [name, port] = proxy.address.split(":");
    ({ marionette, close } = await launchFirefox(firefox, {
      "extensions.webextensions.uuids": JSON.stringify({ [ID]: uuid }),
      "network.proxy.type": 1,
      ...Object.fromEntries(
        ["http", "ssl"].flatMap((kind) => [
          [`network.proxy.${kind}`, name],
          [`network.proxy.${kind}_port`, Number(port)],
        ]),
      ),
      "network.proxy.allow_hijacking_localhost": true,
    }));
    await marionette.ask("WebDriver:SetTimeouts", { script: PATIENCE_MS });
    await marionette.ask("Addon:Install", { path: join(folder, "firefox"), temporary: true });
  });
  after(async () => {
    await close?.();
    proxy?.close();
    site?.server.closeAllConnections();
    site?.server.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Shows an address in a new tab; gives the tab's handle. */
  async function open(url) {
    const { handle } = await marionette.ask("WebDriver:NewWindow", { type: "tab", focus: true });
    await show(handle);
    await marionette.ask("WebDriver:Navigate", { url });
    return handle;
  }

  const show = (handle) => marionette.ask("WebDriver:SwitchToWindow", { handle, focus: true });

  /** Asks the page that is shown until it answers something. */
  async function until(work, ...args) {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await setTimeout(200)) {
      const found = await marionette.run(work, ...args);
      if (found) return found;
    }
    assert.fail(`nothing came of ${work}`);
  }

  /** Clicks as a user does. */
  async function click(selector) {
    const { value } = await marionette.ask("WebDriver:FindElement", { using: "css selector", value: selector });
    await marionette.ask("WebDriver:ElementClick", { id: Object.values(value)[0] });
  }

  test("a false sentence of a streamed answer is flagged, in the page and in the panel, and the DOM stays as it was", async () => {
    const { origin } = new URL(site.url);
    await open(own("options.html"));
    await until(() => document.querySelectorAll("#adapter option").length);
    await marionette.run((origin) => {
      document.querySelector("#adapter").value = "open-webui";
      document.querySelector("#address").value = origin;
    }, origin);
    await click("#host button");
    await until(() => document.querySelector("#hosts button"));

    await open(`${site.url}c/1`);
    const dom = await marionette.run(
      async (question, sentences) => {
        await chat.say(question, [["p", sentences.join(" ")]], 15);
        return document.documentElement.outerHTML;
      },
      QUESTION,
      FALSE,
    );
    await until(
      (count) => [...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0) === count,
      FALSE.length,
    );
    assert.equal(await marionette.run(() => document.documentElement.outerHTML), dom);
    const flagged = await marionette.run(() => {
      const found = [...CSS.highlights].find(([name]) => /^evident-[0-9a-f]{32}-unfactual$/.test(name));
      return found?.[1].size ?? 0;
    });
    assert.ok(flagged > 0);

    await open(own("panel.html"));
    const tab = await marionette.run(async () => (await browser.tabs.query({ url: "http://localhost/*" }))[0].id);
    await open(own(`panel.html#tab=${tab}`));
    const { title, listed } = await until((count) => {
      const card = document.querySelector("#texts article")?.shadowRoot;
      const rows = [...(card?.querySelectorAll(".sentence") ?? [])].filter((row) => row.querySelector("button"));
      const listed = rows.map((row) => [
        row.querySelector(".words").textContent,
        row.querySelector(".badge").textContent,
      ]);
      return listed.length === count && { title: card.querySelector(".title").textContent, listed };
    }, FALSE.length);
    assert.equal(title, QUESTION);
    assert.deepEqual(
      listed.map(([text]) => text),
      FALSE,
    );
    assert.equal(listed.filter(([, word]) => word.startsWith("Contradicted")).length, flagged);
    assert.equal(await marionette.run((tabId) => browser.action.getBadgeText({ tabId }), tab), String(flagged));
  });

  test("nothing that left the browser bears a piece of the text", () => {
    assert.ok(proxy.requests.some((request) => request.startsWith(`GET ${site.url}c/1\n`)));
    assert.deepEqual(leaked(proxy.requests, [QUESTION, ...FALSE]), []);
  });
});
