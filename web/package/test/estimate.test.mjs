/** How long work still takes. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../load.mjs";

let estimate;
let strings;
before(async () => {
  const source = (file) => fileURLToPath(new URL(`../src/ui/${file}`, import.meta.url));
  [estimate, strings] = await Promise.all([load(source("estimate.ts")), load(source("strings.ts"))]);
});

test("long work is told by its pace, and nothing early, of short work and of work that stands still", () => {
  const { Estimate } = estimate;
  const long = new Estimate();
  assert.equal(long.left(0, 1_000), null);
  assert.equal(long.left(0.1, 3_000), null, "two seconds tell nothing");
  assert.equal(long.left(0.1, 5_000), 36_000);
  assert.equal(long.left(0.5, 21_000), 20_000);
  assert.equal(long.left(1, 41_000), 0);
  const short = new Estimate();
  short.left(0, 0);
  assert.equal(short.left(0.5, 4_000), null);
  const idle = new Estimate();
  idle.left(0, 0);
  assert.equal(idle.left(0, 60_000), null);
});

test("other work, whose share is smaller, begins anew, from where it is", () => {
  const next = new estimate.Estimate();
  next.left(0, 0);
  next.left(0.9, 90_000);
  assert.equal(next.left(0.5, 100_000), null);
  assert.equal(next.left(0.75, 110_000), 10_000);
});

test("a time is told in seconds by five, or in minutes, as its language counts", () => {
  const english = new strings.Wording({}, "en");
  const told = (ms) => estimate.withTimeLeft("Loading", ms, english);
  assert.equal(told(null), "Loading");
  assert.equal(told(1_000), "Loading · about 5 seconds left");
  assert.equal(told(33_000), "Loading · about 35 seconds left");
  assert.equal(told(58_000), "Loading · about 1 minute left");
  assert.equal(told(150_000), "Loading · about 3 minutes left");
  assert.equal(new strings.Wording({}, "de").duration(20_000), "20 Sekunden");
});
