/** Evident's model on several threads, for models-page.mjs: this worker, and those of its own that share its memory. */

import start, { Model, serveThread, shared } from "/evident/relaxed/evident.js";

let model;

self.onmessage = async ({ data: { open, texts, thread } }) => {
  if (thread) {
    await start(thread);
    self.postMessage({ found: "ready" });
    return serveThread();
  }
  try {
    self.postMessage({ found: open ? await opened(open) : await model.run(texts, 1) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};

async function opened({ pack, kind, threads }) {
  await start();
  model = await Model.open(pack, kind);
  const [module_or_path, memory] = shared();
  const ready = Array.from({ length: threads }, () => {
    const worker = new Worker(import.meta.url, { type: "module" });
    worker.postMessage({ thread: { module_or_path, memory } });
    return new Promise((heard) => {
      worker.onmessage = heard;
    });
  });
  await Promise.all(ready);
  model.startThreads(threads);
}
