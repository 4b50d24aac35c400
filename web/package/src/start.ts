/** Starts the engine's worker: the one beside this module, or one at the caller's address, of any origin. */

import { EvidentError } from "./errors.js";
import { platform } from "./platform.js";

/** The address of this module; bundlers change it. Within `new URL(…)` they would take it for that of an asset. */
const HERE: string | undefined = import.meta.url;

/** A Trusted Types policy, which lib.dom does not know yet. */
interface Policy {
  createScriptURL(address: string): string;
}

let policy: Policy | undefined;

/**
 * Starts the worker of the directory `engine` (absolute, with its slash), which holds worker.js and wasm/; without one,
 * the worker that lies beside this module, or that a bundler has put where it likes.
 * @throws EvidentError "backend-unavailable" where there are no workers, or none may be started from there.
 */
export function startWorker(engine: string | undefined): Worker {
  const directory = engine ?? (isElsewhere(HERE) ? new URL("./", HERE).href : undefined);
  try {
    if (platform.startWorker) return platform.startWorker(engine);
    // One expression, for that is what bundlers know a worker by.
    if (directory === undefined)
      return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "evident" });
    return startAt(`${directory}worker.js`);
  } catch (cause) {
    throw new EvidentError("backend-unavailable", `a worker cannot be started here: ${String(cause)}`, { cause });
  }
}

/**
 * A browser starts no worker from another origin. For such an address it starts one of the page's own origin, made of a
 * blob, which imports the module; CORS allows that.
 */
function startAt(address: string): Worker {
  if (!isElsewhere(address)) return workerOf(address);
  const source = new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" });
  const url = URL.createObjectURL(source);
  const worker = workerOf(url);
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** Starts a worker at an address; where a page enforces Trusted Types, a policy vouches for it. */
export function workerOf(address: string, name = "evident"): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  policy ??= trustedTypes?.createPolicy("evident-check", { createScriptURL: (address) => address });
  return new Worker(policy?.createScriptURL(address) ?? address, { type: "module", name });
}

/** Whether an address is on the web and of another origin than the page. */
function isElsewhere(address: string | undefined): address is string {
  if (!address || !/^https?:/.test(address)) return false;
  return new URL(address).origin !== (globalThis as { location?: Location }).location?.origin;
}
