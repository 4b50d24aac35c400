/** What models.mjs runs in the page: each engine's models, one forward pass at a time. */

const given = await (await fetch("/models/models.json")).json();
const passes = new Map();

/** How an engine opens a model: each gives a function from a case of models.json to logits. */
const ENGINES = {
  /** One of Evident's modules, on a pack. Its times have the tokenizer in them. On several threads it is in a worker, for a page must not wait. */
  async evident({ model, precision, module, threads = 1 }) {
    const [pack, kind] = [`/models/${model}-${precision}.pack`, given[model].seq2seq ? "seq2seq" : "classifier"];
    if (threads > 1) {
      const ask = asker(new Worker("/bench/models-worker.mjs", { type: "module" }));
      await ask({ open: { pack, kind, threads } });
      return ({ texts }) => ask({ texts });
    }
    const { default: start, Model } = await import(`/evident/${module}/evident.js`);
    await start();
    const opened = await Model.open(pack, kind);
    return ({ texts }) => opened.run(texts, 1);
  },
  /** onnxruntime-web on a graph; a copy of it for each number of threads, which holds for the whole of a copy. */
  async onnxruntime({ model, backend, precision, threads = 1 }) {
    const ort = await import(`/ort/ort.${backend === "cpu" ? "wasm" : "webgpu"}.min.mjs?threads=${threads}`);
    ort.env.wasm.wasmPaths = "/ort/";
    ort.env.wasm.numThreads = threads;
    const graph = `/models/${model}${precision === "f32" ? "" : `-${precision}`}.onnx`;
    const session = await ort.InferenceSession.create(graph, { executionProviders: [backend === "cpu" ? "wasm" : "webgpu"] });
    const tensor = (rows) => new ort.Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0].length]);
    return async (asked) => {
      const feeds = Object.fromEntries(given[model].inputs.map((name) => [name, tensor(asked[name])]));
      return (await session.run(feeds)).logits.data;
    };
  },
};

/** What a worker answers to one question after the other. */
function asker(worker) {
  return (question) =>
    new Promise((answered, failed) => {
      worker.onmessage = ({ data }) => (data.error ? failed(new Error(data.error)) : answered(data.found));
      worker.onerror = ({ message }) => failed(new Error(message));
      worker.postMessage(question);
    });
}

/** Opens a model with an engine under a name. */
export async function open(name, engine, how) {
  passes.set(name, { model: how.model, pass: await ENGINES[engine](how) });
}

/** Milliseconds of one pass, and by how much its logits differ from PyTorch's, against the largest of them. */
export async function run(name, kase) {
  const { model, pass } = passes.get(name);
  const asked = given[model].cases[kase];
  const began = performance.now();
  const found = await pass(asked);
  const ms = performance.now() - began;
  if (found.length !== asked.logits.length) throw new Error(`${found.length} logits for ${asked.logits.length}`);
  const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { ms, difference: largest(asked.logits.map((value, i) => found[i] - value)) / largest(asked.logits) };
}

/** The WebGPU adapter, and whether it is software; nothing where there is none. */
export async function adapter() {
  const found = await navigator.gpu?.requestAdapter();
  if (!found) return undefined;
  const { vendor, architecture, description, isFallbackAdapter } = found.info;
  return { name: description || `${vendor} ${architecture}`, software: isFallbackAdapter || architecture === "swiftshader" };
}
