/**
 * Measures what ten claims cost that a wiki is asked about, where each of its answers takes 100 ms, or MS:
 *
 *   node tests/wiki/latency.mjs target/release/evident [MS]
 *
 * The wiki is its recorded replies. It prints the requests and bytes of the answer, the time until its last verdict,
 * and how much of that it took to find evidence; and fails where that is more than 6 s.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parametersOf, REPLIES } from "./replies.mjs";

const [evident, ms = "100"] = process.argv.slice(2);
const MOST_MS = 6_000;

const answer = readFileSync(join(import.meta.dirname, "statements.txt"), "utf8").trim().split("\n").at(-1);
const server = createServer(({ url }, response) => {
  const body = REPLIES.get(`${parametersOf(url)}`);
  setTimeout(() => response.writeHead(body ? 200 : 404).end(body), Number(ms));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const wiki = `http://127.0.0.1:${server.address().port}/api.php`;
const args = ["verify", "--wiki", wiki, "--pack", "models/embedded", "--json", answer];
const child = spawn(evident, args, { stdio: ["ignore", "pipe", "inherit"] });
const [written, code] = await Promise.all([
  child.stdout.toArray(),
  new Promise((ended) => child.on("close", ended)),
]);
server.close();
if (code !== 0) throw new Error(`the command line ended with ${code}`);
const { sentences, sources, timings } = JSON.parse(Buffer.concat(written));
const [{ traffic, failed }] = sources;
if (failed) throw new Error(failed.message);
const { totalMs, retrieveMs } = timings;
console.log(
  `${sentences.length} claims, ${traffic.requests} requests, ${traffic.bytes} bytes;`,
  `${Math.round(totalMs)} ms to the last verdict, ${Math.round(retrieveMs)} ms of them to find evidence`,
);
if (retrieveMs > MOST_MS) throw new Error(`to find evidence takes more than ${MOST_MS} ms`);
