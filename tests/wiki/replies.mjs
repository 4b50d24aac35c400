/** What a real MediaWiki has answered, which record.mjs has written down. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const lines = readFileSync(join(import.meta.dirname, "replies.jsonl"), "utf8").trim().split("\n");

/** Its replies, by the parameters of the requests. */
export const REPLIES = new Map(lines.map((line) => JSON.parse(line)).map(({ request, body }) => [request, body]));

/** The parameters of a request to an address, in the order in which they are recorded. */
export function parametersOf(address) {
  const { searchParams } = new URL(address, "http://localhost");
  searchParams.sort();
  return searchParams;
}
