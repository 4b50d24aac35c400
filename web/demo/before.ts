/** Says before the first check what it fetches, and that the models read English. */

import { chooseModel } from "../package/src/device.js";
import { publishedBytes } from "../package/src/published.js";
import { byId } from "../package/src/ui/dom.js";
import { WORDING } from "./format.js";
import { ENGINE_CACHES } from "./offline/caches.js";

const notice = byId("before", HTMLElement);

export async function sayBefore(): Promise<void> {
  const size = WORDING.megabytes(publishedBytes(chooseModel("auto")));
  notice.textContent = (await areKept())
    ? "The models are in this browser already. The text stays on this device. The models read English."
    : WORDING.say("before", { size });
}

/** Whether models of this page's pack are in the engine's cache. */
async function areKept(): Promise<boolean> {
  try {
    if (!(await caches.has(ENGINE_CACHES.pack))) return false;
    const pack = new URL("pack/", document.baseURI).href;
    const kept = await (await caches.open(ENGINE_CACHES.pack)).keys();
    return kept.some(({ url }) => url.startsWith(pack) && url.endsWith(".safetensors"));
  } catch {
    return false; // this browser keeps nothing for the page
  }
}
