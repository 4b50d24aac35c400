/**
 * Writes the selectors of the table of sites as adapters to publish, and prints the table's number, which is their version.
 *
 *   node web/extension/adapters.mjs FILE
 */

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../load.mjs";

const { SITES, TABLE } = await load(join(dirname(fileURLToPath(import.meta.url)), "src/sites.ts"));
const rows = SITES.map(({ id, answer, question, streaming, except, asOf }) => [
  id,
  { answer, question, streaming, except, asOf },
]);
writeFileSync(process.argv[2], `${JSON.stringify({ format: 1, sites: Object.fromEntries(rows) }, null, 2)}\n`);
console.log(TABLE);
