/** The labelling page: by keys alone from a file to labels that `evident eval` and `evident conner --ratings` read. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { launch, PATIENCE_MS, REPOSITORY, serve, visit } from "./browser.mjs";
import { EVIDENT } from "./host.mjs";

const ROWS = [
  { id: "a", statement: "Gold has the symbol Au.", evidence: [{ title: "Gold", text: "The symbol of gold is Au." }] },
  { id: "b", statement: "It is a gas.", context: "Gold has the symbol Au.", question: "What is gold?", label: true },
  { id: "c", statement: "It is beautiful.", context: "Gold has the symbol Au. It is a gas." },
  { id: "d", statement: "It is rare.", context: "Gold has the symbol Au." },
];
const ITEMS = [
  {
    id: "x",
    question: "What is gold?",
    knowledge: "Gold is a metal. It is a gas.",
    answer: "A metal.",
    reference: "A metal.",
  },
  { id: "y", question: "What is iron?", knowledge: "Iron rusts." },
];

let browser;
let site;
let folder;
before(async () => {
  [browser, site, folder] = await Promise.all([launch(), serve(), mkdtemp(join(tmpdir(), "evident-labels-"))]);
});
after(() => Promise.all([browser?.close(), site?.close(), rm(folder, { recursive: true, force: true })]));

/** The labelling page with some lines in it, under a name. */
async function labelling(lines, { name = "ann", task = "Facts", file = "lines.jsonl" } = {}) {
  const page = await visit(browser, `${site.url}label.html`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel(task).check();
  await pick(page, lines, file);
  await page.locator("#work:focus").waitFor();
  return page;
}

async function pick(page, lines, file = "lines.jsonl") {
  const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await page.locator("#pick").setInputFiles({ name: file, mimeType: "application/jsonl", buffer });
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Saves by a button; the path of the file, by its name in the folder. */
async function saved(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

const objects = async (path) =>
  (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const place = (page) => page.locator("#place").textContent();
const pressedIn = (page) => page.locator("#sides [aria-pressed=true]:visible strong").allTextContents();

test("sentences are labelled by keys, and `evident eval` reads the labels back", async () => {
  const page = await labelling(ROWS);
  assert.equal(await place(page), "Sentence 1 of 4");
  assert.equal(await page.locator("#text mark").textContent(), ROWS[0].statement);
  assert.equal(await page.locator("#passages .passage").textContent(), "The symbol of gold is Au.");
  await press(page, "f");
  assert.equal(await place(page), "Sentence 2 of 4");
  assert.match(
    await page.locator("#text").textContent(),
    /^Question What is gold\?Gold has the symbol Au\. It is a gas\.$/,
  );
  assert.deepEqual(await pressedIn(page), [], "the label of the file sways nobody");
  await press(page, "f"); // a slip
  assert.equal(await page.locator("#status").textContent(), "Sentence 2: factual.");
  await press(page, "z");
  assert.equal(await place(page), "Sentence 2 of 4");
  assert.deepEqual(await pressedIn(page), []);
  await press(page, "e");
  await page.keyboard.type("Gold is a metal, no gas.");
  await press(page, "Escape", "c");
  await page.keyboard.type("Is it?");
  await press(page, "Escape", "u", "s");
  assert.equal(await place(page), "Sentence 4 of 4");
  await press(page, "ArrowLeft", "ArrowLeft");
  assert.deepEqual(await pressedIn(page), ["Unfactual"]);
  assert.equal(await page.getByLabel("Comment").inputValue(), "Is it?");
  await press(page, "o");
  assert.equal(await place(page), "Sentence 4 of 4");
  await press(page, "n");
  assert.match(await page.locator("#tally").textContent(), /4 of 4 labelled/);

  const labels = await saved(page, "Save the labels");
  assert.match(labels, /labels-ann\.jsonl$/);
  const { label: _, ...second } = ROWS[1];
  const found = { evidence: [{ title: "", text: "Gold is a metal, no gas." }], comments: ["Is it?"] };
  assert.deepEqual(await objects(labels), [
    { ...ROWS[0], label: "factual", annotator: "ann" },
    { ...second, ...found, label: "unfactual", annotator: "ann" },
    { ...ROWS[3], label: "no evidence", annotator: "ann" },
  ]);
  assert.match(await page.locator("#kept").textContent(), /in no file yet/, "what is left out is not");
  const leftOut = await objects(await saved(page, "Save what is left out"));
  assert.deepEqual(leftOut, [{ ...ROWS[2], label: "not sure", reason: "subjective", annotator: "ann" }]);
  assert.doesNotMatch(await page.locator("#kept").textContent(), /in no file yet/);

  const out = join(folder, "eval");
  await promisify(execFile)(
    EVIDENT,
    ["eval", labels, "--evidence", "gold", "--pack", join(REPOSITORY, "models/embedded"), "--out", out],
    { timeout: PATIENCE_MS },
  );
  const judged = await objects(join(out, "rows.jsonl"));
  assert.deepEqual(
    judged.map(({ id, label, evidence }) => [id, label, evidence]),
    [
      ["a", "factual", 1],
      ["b", "unfactual", 1],
      ["d", "noEvidence", 0],
    ],
  );
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("two people rate by keys, apart, and `evident conner --ratings` reads both and their agreement", async () => {
  const page = await labelling(ITEMS, { task: "Ratings" });
  assert.equal(await place(page), "Answer 1 of 2");
  assert.match(await page.locator("#text").textContent(), /Final answer A metal\.Right answer A metal\.$/);
  await press(page, "0", "2", "2", "1", "2");
  assert.deepEqual(await page.locator("#sides .current legend").allTextContents(), ["Validity"]);
  await press(page, "ArrowUp", "0", "2");
  assert.equal(await place(page), "Answer 2 of 2");
  assert.equal(await page.getByRole("group", { name: "Validity" }).count(), 0, "there is no answer to be valid");
  await press(page, "2", "1", "2", "0", "1");
  assert.match(await page.locator("#tally").textContent(), /^ann: 2 of 2 labelled/);
  const ann = await saved(page, "Save the ratings");
  assert.equal(
    await readFile(ann, "utf8"),
    [
      ...["id\trater\tfactuality\trelevance\tcoherence\tinformative\thelpfulness\tvalidity\n"],
      ...["x\tann\t0\t2\t2\t1\t0\t2\n", "y\tann\t2\t1\t2\t0\t1\t\n"],
    ].join(""),
  );

  await page.getByText("What to label").click();
  await page.getByLabel("Your name").fill("bob");
  await press(page, "Tab");
  assert.match(await page.locator("#tally").textContent(), /^bob: 0 of 2 labelled/);
  assert.deepEqual(await pressedIn(page), []);
  await page.locator("#work").focus();
  await press(page, "0", "1", "2", "1", "2", "2", "2", "1", "2", "0", "1");
  const bob = await saved(page, "Save the ratings");
  const answers = await saved(page, "Save the answers");
  assert.deepEqual(await objects(answers), ITEMS);

  const all = join(folder, "human.tsv");
  const { stdout: joined } = await promisify(execFile)("awk", ["NR == 1 || FNR > 1", ann, bob]);
  await writeFile(all, joined);
  const { stdout } = await promisify(execFile)(
    EVIDENT,
    [
      ...["conner", answers, "--ratings", all],
      ...["--pack", join(REPOSITORY, "models/embedded"), "--index", join(REPOSITORY, "dist/demo/index")],
    ],
    { timeout: PATIENCE_MS },
  );
  assert.match(stdout, /\| factuality \| 1\.000 \| 1\.000 \| 2 \|/);
  assert.match(stdout, /\| relevance \| 0\.000 \| -0\.333 \| 2 \|/, "they differ on the first");
  await page.context().close();
});

test("answers are split without any model, and the draft outlives a reload", async () => {
  const page = await visit(browser, "about:blank", { serviceWorkers: "block" });
  const asked = [];
  page.context().on("request", (request) => asked.push(new URL(request.url()).pathname.slice(1)));
  await page.goto(`${site.url}label.html`, { waitUntil: "networkidle" });
  const own = ["label.css", "label.html", "label.js", "style.css"];
  assert.deepEqual(asked.filter((path) => path !== "icon.svg").toSorted(), own);
  await page.getByRole("button", { name: "Label the sample answers" }).click();
  assert.match(await page.locator("#alert").textContent(), /^Put in your name/);
  await page.getByLabel("Your name").fill("ann");
  await page.getByRole("button", { name: "Label the sample answers" }).click();
  await page.locator("#work:focus").waitFor({ timeout: PATIENCE_MS });
  assert.deepEqual(
    asked.filter((path) => /^(pack|index)\//.test(path)),
    [],
  );
  const [, of] = (await place(page)).split(" of ");
  assert.ok(Number(of) > 20, of);
  await press(page, "f", "ArrowRight", "u");
  await page.reload();
  assert.match(await page.locator("#tally").textContent(), new RegExp(`^ann: 2 of ${of} labelled`));
  assert.equal(await place(page), `Sentence 4 of ${of}`);
  await page.locator("#work").focus();
  await press(page, "ArrowLeft");
  assert.deepEqual(await pressedIn(page), ["Unfactual"]);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("labels that no file has are not dropped without a word, and the same lines keep theirs", async () => {
  const page = await labelling(ROWS, { name: "constructor" }); // which every object has
  const said = [];
  const answers = ["dismiss", "accept"];
  page.on("dialog", (dialog) => {
    said.push(dialog.message());
    void dialog[answers.shift()]();
  });
  await press(page, "f");
  await pick(page, ROWS);
  assert.match(await page.locator("#tally").textContent(), /1 of 4/);
  assert.deepEqual(said, [], "nothing would be lost");
  await pick(page, ROWS.slice(1));
  await page.waitForFunction(() => document.querySelector("#opening").textContent === "");
  assert.match(await page.locator("#tally").textContent(), /1 of 4/);
  await pick(page, ROWS.slice(1));
  await page.getByText("Sentence 1 of 3").waitFor();
  assert.deepEqual(said.length, 2);
  await pick(page, [{ text: "a" }]);
  await page.locator("#alert", { hasText: "bad-lines" }).waitFor();
  assert.match(await page.locator("#alert").innerText(), /line 1 cannot be labelled.*bad-lines/is);
  assert.equal(await place(page), "Sentence 1 of 3", "what was open stays");
  await page.context().close();
});

test("where the browser keeps no draft the page says so, and asks before it is left", async () => {
  const page = await visit(browser, "about:blank");
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.goto(`${site.url}label.html`);
  await page.getByLabel("Your name").fill("ann");
  await pick(page, ROWS);
  await page.locator("#work:focus").waitFor();
  await press(page, "f");
  assert.match(await page.locator("#kept").textContent(), /no room for a draft: save before/);
  const asked = page.waitForEvent("dialog");
  const left = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await left;
  await page.context().close();
});

test("the page is reached from the demo, works offline after it, and its keys leave the rest alone", async () => {
  const page = await visit(browser, site.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "label answers" }).click();
  await page.getByLabel("Your name").fill("fun"); // F, U and N are letters here
  await pick(page, ROWS);
  await page.locator("#work:focus").waitFor();
  await page.locator("#save").focus();
  await press(page, "f");
  assert.match(await page.locator("#tally").textContent(), /^fun: 0 of 4/);
  await page.getByRole("button", { name: /^F Factual/ }).click();
  await press(page, "u");
  assert.match(await page.locator("#tally").textContent(), /^fun: 2 of 4/, "after a click the keys go on");
  await page.context().close();
});

test("a report of the command line is dropped, and its sentences are labelled with their evidence", async () => {
  const { stdout } = await promisify(execFile)(
    EVIDENT,
    [
      ...["verify", "--json", "--question", "What is carbon?", "Sure! Carbon is a chemical element. It is a gas."],
      ...["--pack", join(REPOSITORY, "models/embedded"), "--index", join(REPOSITORY, "dist/demo/index")],
    ],
    { timeout: PATIENCE_MS },
  );
  const { sentences } = JSON.parse(stdout);
  const page = await visit(browser, `${site.url}label.html`);
  await page.getByLabel("Your name").fill("ann");
  await page.evaluate((report) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([report], "report.json"));
    for (const type of ["dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, stdout);
  await page.locator("#work:focus").waitFor();
  assert.equal(await place(page), `Sentence 1 of ${sentences.length}`);
  assert.equal(await page.locator("#passages > li").count(), sentences[0].evidence.length);
  await press(page, "f", "u");
  const rows = await objects(await saved(page, "Save the labels"));
  assert.deepEqual(
    rows,
    sentences.map(({ text, evidence, verdict }, index) => ({
      ...{ id: `report.1.${index + 1}`, paragraph: "report.1", position: index + 1, verdict },
      ...{
        statement: text,
        question: "What is carbon?",
        context: ["Sure!", "Sure! Carbon is a chemical element."][index],
      },
      evidence: evidence.map(({ title, text }) => ({ title, text })),
      ...{ label: ["factual", "unfactual"][index], annotator: "ann" },
    })),
  );
  await page.context().close();
});
