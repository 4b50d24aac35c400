/** The first minute of `./build.sh soak`. */

import { test } from "node:test";
import { soak } from "./soak.mjs";

test("twenty answers in one page, and six verifiers one after the other, take no more memory than ten and three", async () => {
  await soak({ answers: 20, cycles: 6, early: { answers: 10, cycles: 3 } });
});
