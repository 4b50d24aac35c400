/** The demo's list of earlier checks and its switch, without a browser: what is kept, forgotten and said. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundle } from "../../load.mjs";
import { FakeDatabase } from "./indexed-db.mjs";

/** As much of an element as the list takes. */
class Element {
  hidden = false;
  checked = true;
  open = false;
  children = [];
  listeners = {};
  attributes = {};
  addEventListener(type, listener) {
    this.listeners[type] = listener;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  matches() {
    return false;
  }
  set textContent(text) {
    this.children = [text];
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }
  get buttons() {
    return this.children.flatMap((child) => (child.tag === "button" ? [child] : (child.buttons ?? [])));
  }
}

const script = await bundle(fileURLToPath(new URL("../../demo/earlier.ts", import.meta.url)));
let [database, earlier, elements, opened, settings, visits] = [];
/** A page that is opened anew: what the browser keeps stays. */
async function visit() {
  elements = {};
  opened = [];
  const url = `data:text/javascript,${encodeURIComponent(`${script}\n// ${visits++}`)}`;
  earlier = await import(url);
  earlier.openEarlier((check) => opened.push(check));
  await settled();
}

beforeEach(async () => {
  [database, settings, visits] = [new FakeDatabase(), {}, visits ?? 0];
  database.install();
  for (const name of ["", "Input", "Details", "Button"]) globalThis[`HTML${name}Element`] = Element;
  globalThis.document = {
    getElementById: (id) => (elements[id] ??= new Element()),
    createElement: (tag) => Object.assign(new Element(), { tag }),
  };
  globalThis.window = new Element();
  globalThis.localStorage = {
    getItem: (key) => settings[key] ?? null,
    setItem: (key, value) => {
      settings[key] = value;
    },
    removeItem: (key) => delete settings[key],
  };
  await visit();
});

/** Resolves when all transactions have ended, and what waited for them has run. */
async function settled() {
  for (let turn = 0; turn < 10; turn++) {
    await database.ended;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const checkAt = (at) => ({ at, report: { schema: 3, question: null, answer: `Check ${at}.`, sentences: [] } });
const names = () => elements["earlier-list"].children.map(({ children: [name] }) => name.textContent);
const press = async (button) => {
  button.listeners.click();
  await settled();
};
const turn = async (on) => {
  elements.keep.checked = on;
  elements.keep.listeners.change();
  await settled();
};

test("what is kept is listed, the last is known, each is opened, and one or all are forgotten", async () => {
  assert.equal(await earlier.lastCheck(), null);
  for (const at of [1, 2, 3]) await earlier.keepEarlier(checkAt(at));
  await visit();
  assert.deepEqual(names(), ["Check 3.", "Check 2.", "Check 1."]);
  assert.equal(elements.earlier.hidden, false);
  assert.deepEqual(await earlier.lastCheck(), checkAt(3));
  const [row] = elements["earlier-list"].children;
  assert.match(row.textContent, /^Check 3\. .+ · nothing to check Forget$/);
  const [open, forget] = row.buttons;
  assert.equal(forget.attributes["aria-label"], "Forget “Check 3.”");
  await press(open);
  assert.deepEqual(opened, [checkAt(3)]);
  await press(forget);
  assert.deepEqual(names(), ["Check 2.", "Check 1."]);
  await press(open);
  assert.equal(elements["earlier-status"].textContent, "This check is no longer kept.");
  assert.equal(opened.length, 1);
  await press(elements["forget-all"]);
  assert.equal(elements.earlier.hidden, true);
  assert.equal(database.stored.size, 0);
});

test("switched off, what is kept is deleted and nothing more is kept, until it is on again", async () => {
  await earlier.keepEarlier(checkAt(1));
  await turn(false);
  assert.equal(database.stored.size, 0);
  assert.equal(elements.earlier.hidden, true);
  await earlier.keepEarlier(checkAt(2));
  await visit();
  assert.equal(elements.keep.checked, false);
  await earlier.keepEarlier(checkAt(3));
  assert.equal(database.stored.size, 0);
  await turn(true);
  await earlier.keepEarlier(checkAt(4));
  assert.deepEqual(names(), ["Check 4."]);
});

test("another tab's switch counts at once", async () => {
  settings["evident-checks"] = "off";
  await earlier.keepEarlier(checkAt(1));
  assert.equal(database.stored.size, 0);
  window.listeners.storage({ key: "evident-checks" });
  assert.equal(elements.keep.checked, false);
});

test("a browser that keeps nothing is told of once, and so is a choice that it does not store", async () => {
  await earlier.keepEarlier(checkAt(1));
  database.isFull = true;
  for (const at of [2, 3]) await earlier.keepEarlier(checkAt(at));
  assert.equal(elements.notice.children.length, 1);
  assert.match(elements.notice.textContent, /^This browser could not keep this check/);
  assert.deepEqual(names(), ["Check 1."]);
  localStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await turn(false);
  assert.match(elements.notice.textContent, /did not store your choice/);
  assert.equal(database.stored.size, 0, "what is kept goes all the same");
  database.isFull = false;
  await earlier.keepEarlier(checkAt(4));
  assert.equal(database.stored.size, 0);
});

test("without any storage nothing fails, and what cannot be deleted is said", async () => {
  await earlier.keepEarlier(checkAt(1));
  delete globalThis.indexedDB;
  assert.equal(await earlier.lastCheck(), null);
  await press(elements["forget-all"]);
  assert.match(elements["earlier-status"].textContent, /^The browser did not delete/);
  delete globalThis.localStorage;
  await visit();
  assert.equal(elements.keep.checked, true);
  await earlier.keepEarlier(checkAt(2));
  assert.equal(elements.notice.children.length, 1);
});
