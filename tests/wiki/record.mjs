/**
 * Records what a wiki answers to the command line, for the tests that replay it:
 *
 *   tests/wiki/serve.sh 8089 &
 *   node tests/wiki/record.mjs http://127.0.0.1:8089/api.php target/release/evident
 *
 * It stands between the two, has the command line check the statements of statements.txt, and writes replies.jsonl: a
 * request's parameters, sorted, and the reply's body. With --compare it writes nothing, and fails where what is asked
 * or the articles that are answered are no longer those of replies.jsonl.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parametersOf, REPLIES as BEFORE } from "./replies.mjs";

const [wiki, evident, option] = process.argv.slice(2);
const HERE = import.meta.dirname;
const REPLIES = join(HERE, "replies.jsonl");
const recorded = new Map();

const server = createServer(async (request, response) => {
  const parameters = `${parametersOf(request.url)}`;
  const reply = await fetch(`${wiki}?${parameters}`);
  const body = await reply.text();
  recorded.set(parameters, body);
  response.writeHead(reply.status, { "Content-Type": "application/json" }).end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/api.php`;
for (const statement of readFileSync(join(HERE, "statements.txt"), "utf8").split("\n").filter(Boolean)) {
  const args = ["verify", "--wiki", address, "--pack", "models/embedded", statement];
  const code = await new Promise((ended) => spawn(evident, args, { stdio: "inherit" }).on("close", ended));
  if (code !== 0) throw new Error(`${statement}: the command line ended with ${code}`);
}
server.close();
/** What is asked, and the wikitext of each article that is answered: the rest changes with MediaWiki's version. */
const told = ([request, body]) => {
  const { pages = [] } = JSON.parse(body).query ?? {};
  const texts = pages.map(({ title, revisions }) => [title, revisions?.[0].slots.main.content]);
  return JSON.stringify([request, texts.sort()]);
};
if (option === "--compare") {
  assert.deepEqual([...recorded].map(told).sort(), [...BEFORE].map(told).sort());
} else {
  const lines = [...recorded].map(([request, body]) => `${JSON.stringify({ request, body })}\n`);
  writeFileSync(REPLIES, lines.sort().join(""));
}
console.log(`${recorded.size} replies`);
