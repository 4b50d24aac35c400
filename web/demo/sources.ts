/** The pages that the answer cites, on this page: fetched and read in a worker, and compared by the engine. */

import type { Passage, Report, SentenceReport, UnreadSource, Verifier } from "evident-check";
import { Comparison } from "../package/src/sources/comparison.js";
import { byId } from "../package/src/ui/dom.js";
import { SourceCheck } from "../package/src/ui/source-check.js";
import { explain } from "./advice.js";
import { kindOf } from "./documents.js";
import { WORDING } from "./format.js";
import type { Reply, Request } from "./index-worker.js";
import { reaches } from "./offline.js";

/** What offers to check them. */
export const sourceCheck = new SourceCheck(byId("sources", HTMLElement), WORDING, explain);

/** Offers to check the sources of a report; `onChecked` is told of each sentence that was compared with its sources. */
export function offerSources(
  verifier: Verifier,
  report: Report,
  onChecked: (index: number, sentence: SentenceReport) => void,
): void {
  const comparison = new Comparison(report, {
    use: (_, work) => work(verifier),
    onChecked,
    fetch: fetchPages,
  });
  sourceCheck.offer({
    addresses: comparison.addresses,
    fetch: (signal, onStep) => comparison.fetch(signal, onStep),
    give: async (address, file, signal, onStep) => {
      const request: Request = { type: "passages", name: address, kind: kindOf(file.name), file };
      const reply = await ask(request, signal, () => undefined);
      if (reply.type === "passages") await comparison.give(address, reply.passages, signal, onStep);
    },
  });
}

async function fetchPages(
  addresses: string[],
  { signal, onSource }: { signal: AbortSignal; onSource(address: string, source: Passage[] | UnreadSource): void },
): Promise<void> {
  const told: Promise<void>[] = [];
  await ask({ type: "sources", addresses }, signal, (reply) => {
    if (reply.type !== "source") return;
    const { address, source } = reply;
    if (!("unread" in source) || source.unread !== "failed") return onSource(address, source);
    // In an isolated page not every browser tells a host that is down from one without CORS.
    told.push(reaches(address).then((is) => onSource(address, { unread: is ? "blocked" : "failed" })));
  });
  await Promise.all(told);
}

/** Has a worker do one thing; `onNews` is told what comes before its last reply, which this resolves to. */
function ask(request: Request, signal: AbortSignal, onNews: (reply: Reply) => void): Promise<Reply> {
  const worker = new Worker("index-worker.js", { type: "module", name: "evident-sources" });
  const asked = new Promise<Reply>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(Object.assign(new Error(event.message), { code: "internal" }));
    });
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.type === "failed") reject(Object.assign(new Error(data.message), { code: data.code }));
      else if (data.type === "sources" || data.type === "passages") resolve(data);
      else onNews(data);
    });
    worker.postMessage(request);
  });
  return asked.finally(() => worker.terminate());
}
