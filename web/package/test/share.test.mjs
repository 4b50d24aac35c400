/** Links that carry a text: what is made of one that was damaged on its way, and of those of an older page. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { load } from "../../load.mjs";
import { changes } from "./changes.mjs";

const TEXT = {
  question: "What is iron?",
  answer: "Iron is a metal, it rusts, and its atomic number is 26.\n\n*Tin* does not; ein Café.",
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

let share;
before(async () => {
  globalThis.location = { href: "https://example.org/demo/?x=1" };
  share = await load(fileURLToPath(new URL("../../demo/share.ts", import.meta.url)));
});

test("a text comes out of its link as it went in", async () => {
  const link = await share.linkTo(TEXT);
  assert.ok(link.startsWith("https://example.org/demo/?x=1#text=2."), link);
  assert.deepEqual(await share.sharedIn(new URL(link).hash), TEXT);
  assert.equal(await share.sharedIn("#settings"), null);
});

test("a link in which one character was changed, lost or added is refused", async () => {
  const { hash } = new URL(await share.linkTo(TEXT));
  const refused = async (fragment) =>
    assert.equal(await share.sharedIn(fragment).catch(({ code }) => code), "bad-link", fragment);
  for (let at = "#text=2.".length; at < hash.length; at++) {
    const others = [1, 17, 40].map((step) => LETTERS[(LETTERS.indexOf(hash[at]) + step) % LETTERS.length]);
    for (const put of ["", `${hash[at]}A`, ...others]) await refused(hash.slice(0, at) + put + hash.slice(at + 1));
  }
  for (const version of ["1", "3", ""]) await refused(hash.replace("=2", `=${version}`));
});

test("a link of the first version opens", async () => {
  const code = deflateRawSync(JSON.stringify([TEXT.question, TEXT.answer])).toString("base64url");
  assert.deepEqual(await share.sharedIn(`#text=1.${code}`), TEXT);
  await assert.rejects(share.sharedIn("#text=1.AAAA"), { code: "bad-link", message: /damaged/ });
});

test("a link that was changed at random is refused, or says what was shared", async (t) => {
  const others = [TEXT, { question: "", answer: "Tin. ".repeat(90) }];
  const links = await Promise.all(others.map(async (text) => new URL(await share.linkTo(text)).hash));
  const opened = (fragment) =>
    share.sharedIn(fragment).catch((error) => {
      assert.equal(error.code, "bad-link", `${fragment}: ${error.stack}`);
      return null;
    });
  for (const fragment of changes(links, (count) => t.diagnostic(count))) {
    const found = await opened(fragment);
    const same = others.filter(({ question, answer }) => question === found?.question && answer === found?.answer);
    assert.ok(found === null || same.length === 1, fragment);
  }
});

test("a link of the first version that was changed at random is refused, or says two texts", async (t) => {
  const code = deflateRawSync(JSON.stringify([TEXT.question, TEXT.answer])).toString("base64url");
  for (const fragment of changes([`#text=1.${code}`], (count) => t.diagnostic(count), 0.3)) {
    const found = await share.sharedIn(fragment).catch((error) => {
      assert.equal(error.code, "bad-link", `${fragment}: ${error.stack}`);
      return null;
    });
    if (found)
      assert.deepEqual(
        Object.values(found).map((text) => typeof text),
        ["string", "string"],
        fragment,
      );
  }
});
