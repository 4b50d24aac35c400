/** The worker in Node: gives its thread what worker.js takes from a browser, and runs that. */

import process from "node:process";
import { parentPort } from "node:worker_threads";
import { fetchFile } from "./node-file.js";

const events = new EventTarget();
const fetchWeb = globalThis.fetch;

Object.assign(globalThis, {
  self: globalThis,
  addEventListener: events.addEventListener.bind(events),
  postMessage: (message: unknown) => parentPort?.postMessage(message),
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    return request.url.startsWith("file:") ? fetchFile(request) : fetchWeb(request);
  },
});

for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error) => {
    events.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { error, message: String(error) }));
  });

// Listens at once and holds each message back until worker.js listens: before that it would be lost.
const ready = import("./worker.js");
parentPort?.on("message", (data) => {
  void ready.then(() => events.dispatchEvent(new MessageEvent("message", { data })));
});
