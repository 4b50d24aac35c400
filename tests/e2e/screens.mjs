/**
 * Pictures of every state of the page, the labelling page, the widget and the extension, at three widths, light and
 * dark, for people to look at; and of the extension as the stores show it, 1280 by 800.
 *
 *   node tests/e2e/screens.mjs [FOLDER]      FOLDER: target/screens; ./build.sh screens makes what it needs first
 */

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  check,
  done,
  firstVerdict,
  launch,
  launchExtension,
  options,
  outcome,
  PATIENCE_MS,
  REPOSITORY,
  serve,
  visit,
} from "./browser.mjs";
import { TARGET } from "./host.mjs";

const FOLDER = process.argv[2] ?? join(TARGET, "screens");
const WIDTHS = [1280, 768, 360];
const SCHEMES = ["light", "dark"];

/** An answer as chatbots write it, with verdicts of each kind. */
const ANSWER = `# Carbon and its neighbours

Sure! **Carbon** has the atomic number *8*, and its symbol is \`C\`. It is in every [living thing](https://example.org/life).

## What to know

1. The chemical symbol of gold is Au.
2. Iron has the atomic number 26.
   - Its symbol is **Fr**.
3. Somebody whistled in Brakto.

| Planet | Moons | Colour |
|:--|--:|:--|
| Mars | 2 | red |
| Venus | 3 | white |

> Paris is the capital of France, as [one site](javascript:alert(1)) says.

\`\`\`python
def moons(planet):
    return {"Mars": 2, "Venus": 0}[planet]  # a line of code that is longer than a phone is wide
\`\`\`

<b>Canberra</b> is the capital of Australia 🦘.[^1] ![A map](https://example.org/map.png)

[^1]: A note about it.`;

const QUESTION = "What should I know about carbon?";

/** The states of the page, one after the other; `shoot` takes the picture of each. */
async function pageStates(page, hold, shoot) {
  await shoot("page-1-start");
  const release = hold();
  await check(page, { answer: ANSWER, question: QUESTION });
  await page.getByText("Loading the models").first().waitFor();
  await shoot("page-2-loading");
  release();
  await firstVerdict(page);
  await shoot("page-3-checking");
  await done(page);
  await shoot("page-4-done");
  await options(page).first().focus();
  await page.keyboard.press("n");
  await shoot("page-5-next-flagged");
  for (const name of ["The whole passage", "other passage", "Details"])
    await page
      .locator("#evidence summary", { hasText: name })
      .first()
      .click()
      .catch(() => undefined);
  await shoot("page-6-evidence-open");
  await page.locator("#details > summary").click();
  await shoot("page-7-details");
  await page.getByText("This is wrong").click();
  await page.getByRole("button", { name: "Dismiss this mark" }).click();
  await shoot("page-13-dismissed");
  await page.getByLabel("Answer", { exact: true }).fill(`${ANSWER} More.`);
  await shoot("page-8-stale");
  await check(page, { answer: "" });
  await outcome(page);
  await shoot("page-9-error");
  await page.getByText("Use other evidence").click();
  await page.locator("#indexes > li").first().waitFor();
  await page.getByRole("button", { name: "share this text by a link" }).click();
  await shoot("page-10-other-evidence");
  await check(page, { answer: "Thanks! Shall I go on?" });
  await outcome(page);
  await shoot("page-11-nothing-to-check");
  await check(page, { answer: `${ANSWER}\n\n${"Paris is the capital of France. ".repeat(40)}` });
  await firstVerdict(page);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await outcome(page);
  await shoot("page-12-cancelled");
}

async function widgetStates(page, _, shoot) {
  await shoot("widget-1-start");
  const widgets = page.locator("evident-check");
  const [slot, , typed] = await widgets.all();
  const ended = (widget) => widget.locator(".widget[aria-busy=false] .sentence-button").first().waitFor();
  await slot.getByRole("button", { name: "Check", exact: true }).click();
  await ended(slot);
  await typed.getByLabel("Text to check").fill(ANSWER);
  await typed.getByRole("button", { name: "Check", exact: true }).click();
  await ended(typed);
  await shoot("widget-2-done");
  await typed.locator("summary", { hasText: "Details" }).last().click();
  await typed.getByLabel("Text to check").fill("Another text.");
  await shoot("widget-3-stale");
}

/** Sentences and answers to label. */
const EVIDENCE = [
  { title: "Carbon", text: "Carbon is a chemical element. It has the symbol C and the atomic number 6. ".repeat(4) },
  { title: "Periodic table", text: "The periodic table has the elements in the order of their atomic numbers." },
];
const ROWS = ["Carbon is a chemical element.", "It has the atomic number 8.", "It is beautiful."].map(
  (statement, index, all) => ({
    ...{ statement, question: QUESTION, context: all.slice(0, index).join(" ") },
    evidence: index < 2 ? EVIDENCE : [],
  }),
);
const ITEM = { question: QUESTION, knowledge: ROWS.map(({ statement }) => statement).join(" "), answer: "A metal." };

async function labelStates(page, _, shoot) {
  await shoot("label-1-start");
  await page.getByRole("button", { name: "Choose a file" }).click();
  await shoot("label-2-no-name");
  await page.getByLabel("Your name").fill("ann");
  const pick = async (task, lines) => {
    await page.getByLabel(task).setChecked(true);
    const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await page.locator("#pick").setInputFiles({ name: "lines.jsonl", mimeType: "application/jsonl", buffer });
    await page.locator("#work:focus").waitFor();
  };
  await pick("Facts", ROWS);
  await page.keyboard.press("f");
  await shoot("label-3-sentence");
  for (const key of ["u", "s"]) await page.keyboard.press(key);
  await shoot("label-4-last");
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#choices summary").click();
  await pick("Ratings", [ITEM]);
  for (const key of ["0", "2", "2"]) await page.keyboard.press(key);
  await shoot("label-5-ratings");
}

/** A chat, and what the extension finds in it. */
const CHAT = {
  address: "https://chatgpt.com/c/1",
  question: "What do you know about Mars and its neighbours?",
  blocks: [
    ["p", "Mars is the fourth planet from the Sun. It is a beautiful place."],
    ["p", "Venus is the planet that is closest to the Sun. Mars has two moons, Phobos and Deimos."],
    ["p", "Shall I go on?"],
  ],
};

/** The extension in a browser of its own, on our page that stands for a chatbot's. */
async function extensionStates(shoot) {
  const folder = await mkdtemp(join(tmpdir(), "evident-screens-"));
  const build = [`${REPOSITORY}web/extension/build.mjs`, "--browser", "chrome", "--out", folder];
  execFileSync(process.execPath, [...build, "--grant", `${new URL(CHAT.address).origin}/*`]);
  const context = await launchExtension(join(folder, "chrome"), join(folder, "profile"), { reducedMotion: "reduce" });
  await context.route(`${new URL(CHAT.address).origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname === "/stream.js" ? "stream.js" : "chatgpt.html";
    return route.fulfill({ path: `${REPOSITORY}tests/e2e/fixtures/sites/${name}` });
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const open = async (address) => {
    const page = await context.newPage();
    await page.goto(new URL(address, worker.url()).href);
    return page;
  };
  await shoot(await open("welcome.html"), "extension-1-welcome");
  const chat = await open(CHAT.address);
  const [{ id }] = await worker.evaluate(() => chrome.tabs.query({ active: true, lastFocusedWindow: true }));
  const empty = await open("panel.html#tab=0");
  await shoot(empty, "extension-2-page-that-is-not-read");
  const panel = await open(`panel.html#tab=${id}`);
  await chat.bringToFront();
  await chat.evaluate(({ question, blocks }) => globalThis.chat.say(question, blocks, 0), CHAT);
  await panel.locator(".details:has(.scoring)").waitFor({ timeout: PATIENCE_MS }); // all is judged
  await shoot(chat, "extension-3-chat");
  await shoot(panel, "extension-4-panel"); // the most doubtful sentence has opened
  const options = await open("options.html");
  await shoot(options, "extension-5-options");

  // Beside each other as the browser shows page and panel.
  const together = await context.newPage();
  const picture = async (page, width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    return `<img src="data:image/png;base64,${(await page.screenshot()).toString("base64")}">`;
  };
  await together.setViewportSize({ width: 1280, height: 800 });
  await together.setContent(
    `<style>body { margin: 0; display: flex; gap: 2px; background: #999 }</style>${await picture(chat, 858)}${await picture(panel, 420)}`,
  );
  await together.screenshot({ path: join(FOLDER, "store-1-panel.png") });
  await picture(options, 1280);
  await options.screenshot({ path: join(FOLDER, "store-2-options.png") });
  await context.close();
  await rm(folder, { recursive: true, force: true });
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
let held;
const hold = () => {
  let release;
  held = new Promise((resolve) => {
    release = resolve;
  });
  return release;
};
const [browser, site] = await Promise.all([launch(), serve((path) => (path === "pack/pack.json" ? held : undefined))]);
for (const width of WIDTHS)
  for (const colorScheme of SCHEMES)
    for (const [path, states] of [
      ["", pageStates],
      ["widget.html", widgetStates],
      ["label.html", labelStates],
    ]) {
      held = undefined;
      const page = await visit(browser, `${site.url}${path}`, {
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      await states(page, hold, async (name) => {
        await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      });
      await page.context().close();
    }
await Promise.all([browser.close(), site.close()]);
await extensionStates(async (page, name) => {
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
});
console.log(`the pictures are in ${FOLDER}`);
