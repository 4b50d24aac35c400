/** The work of index-worker.ts as a page shows it. */

import { Estimate, withTimeLeft } from "../package/src/ui/estimate.js";
import { PageError } from "./advice.js";
import { bytes, count, WORDING } from "./format.js";
import type { Reply, Request } from "./index-worker.js";

export type Ready = Extract<Reply, { type: "ready" }>;

/**
 * Has a new worker do one thing, and shows how far it is. If the caller ends the worker, this never settles.
 * @throws an error with a code, as a rejection.
 */
export function work(
  worker: Worker,
  request: Request,
  progress: HTMLProgressElement,
  say: (text: string) => void,
): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const estimate = new Estimate();
    progress.removeAttribute("value");
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new PageError("bad-files", `the work ended early: ${event.message || "its script could not be loaded"}`));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      switch (data.type) {
        case "reading":
          progress.value = data.total ? data.loaded / data.total : 0;
          return say(
            withTimeLeft(
              `Reading file ${data.file} of ${data.of}, ${data.name}: ${bytes(data.loaded)} of ${bytes(data.total)}`,
              estimate.left(progress.value),
              WORDING,
            ),
          );
        case "indexing":
          progress.removeAttribute("value");
          return say(`Indexing ${count(data.passages, "passage")}.`);
        case "ready":
          return resolve(data);
        case "failed":
          return reject(Object.assign(new Error(data.message), { code: data.code }));
      }
    });
    worker.postMessage(request);
  });
}

/** Which files are not in an index, and why: sentences to follow others, "" if all are. */
export function unreadOf(unread: string[], leftOut: number): string {
  const others = leftOut ? ` ${count(leftOut, "other file was", "other files were")} left out.` : "";
  const bad = unread.length ? ` ${count(unread.length, "file")} could not be read: ${unread.join("; ")}.` : "";
  return others + bad;
}
