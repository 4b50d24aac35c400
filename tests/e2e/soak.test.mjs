/** The first minute of `./build.sh soak`. */

import { test } from "node:test";
import { soakExtension, soakPage, soakWorker } from "./soak.mjs";

test("twenty answers in one page, and six verifiers one after the other, take no more memory than ten and three", () =>
  soakPage({ answers: 20, cycles: 6, early: { answers: 10, cycles: 3 } }));

test("twenty answers in one worker take no more memory than ten", () => soakWorker({ answers: 20, early: 10 }));

test("twenty answers in one extension take no more memory than ten", () => soakExtension({ answers: 20, early: 10 }));
