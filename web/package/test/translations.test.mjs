/** The element's words in ten languages: none is missing, and each keeps the places that the English one fills in. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

const source = (file) => fileURLToPath(new URL(`../src/ui/${file}`, import.meta.url));

let strings;
let translations;
before(async () => {
  [strings, translations] = await Promise.all([load(source("strings.ts")), load(source("translations/index.ts"))]);
});

/** All wordings of a text: of each plural category that it has. */
const texts = (template) => (typeof template === "string" ? [template] : Object.values(template));
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort();

test("every language has every word of the element", () => {
  assert.deepEqual([...translations.TRANSLATIONS.keys()].sort(), [
    "de",
    "es",
    "fr",
    "it",
    "ja",
    "nl",
    "pl",
    "pt",
    "zh",
  ]);
  for (const [lang, words] of translations.TRANSLATIONS)
    assert.deepEqual(Object.keys(words).sort(), Object.keys(strings.ENGLISH).sort(), lang);
});

test("each has the places of the English one, and only plurals that its language has", () => {
  for (const [lang, words] of translations.TRANSLATIONS)
    for (const [name, template] of Object.entries(words)) {
      const [english] = texts(strings.ENGLISH[name]);
      for (const text of texts(template)) assert.deepEqual(places(text), places(english), `${lang}, ${name}: ${text}`);
      if (typeof template === "string") continue;
      const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions();
      for (const category of Object.keys(template))
        assert.ok(category === "other" || pluralCategories.includes(category), `${lang}, ${name}, ${category}`);
    }
});

test("a language is found by its tag, whatever the region, and an unknown one is not", () => {
  const { translationOf } = translations;
  assert.equal(translationOf("de-AT"), translationOf("DE"));
  assert.equal(translationOf("zh-Hans-CN").check, "核查");
  assert.equal(translationOf("en"), undefined);
  assert.equal(translationOf("tlh"), undefined);
  const polish = new strings.Wording(translationOf("pl"), "pl");
  assert.deepEqual(
    [1, 3, 5].map((n) => polish.say("others", { n })),
    ["1 inny fragment", "3 inne fragmenty", "5 innych fragmentów"],
  );
});
