/** The page's part in working without a network: registers the service worker, and tells the reader what it keeps. */

import type { BackendKind } from "evident-check";
import { chooseModel } from "../package/src/device.js";
import { moduleOf } from "../package/src/module.js";
import { byId, make } from "../package/src/ui/dom.js";
import { bytes } from "./format.js";
import type { Kept, Request } from "./offline/messages.js";

/** Milliseconds after which a visit gets its copy even if it has checked nothing. */
const IDLE_MS = 20_000;

const line = byId("offline", HTMLElement);
const asked = new Set<BackendKind>();

/** Registers the service worker, where the browser has them and the page may use them. */
export async function workOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    const registration = await serviceWorker.register("sw.js", { updateViaCache: "none" });
    const follow = (found: ServiceWorker | null) => {
      const offer = () => {
        // At the first visit nothing is old.
        if (found?.state === "installed" && serviceWorker.controller) offerUpdate(found);
      };
      offer();
      found?.addEventListener("statechange", offer);
    };
    follow(registration.waiting ?? registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    setTimeout(() => void keepCopy("cpu"), IDLE_MS);
  } catch {
    // Without it the page works as before, with a network.
  }
}

/** Has the service worker keep all that judging without a network needs. `backend` is the one that computed. */
export async function keepCopy(backend: BackendKind): Promise<void> {
  if (asked.has(backend) || !navigator.serviceWorker || saving()) return;
  asked.add(backend);
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", ({ data }: MessageEvent<Kept>) => show(data));
  port1.start();
  const request: Request = { type: "keep", module: moduleOf(backend), model: chooseModel("auto") };
  active?.postMessage(request, [port2]);
}

/** Whether a host answers at an address, as the service worker sees it. */
export async function reaches(address: string): Promise<boolean> {
  const active = (await navigator.serviceWorker?.getRegistration())?.active;
  if (!active) return false;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
  });
  const request: Request = { type: "reach", address };
  active.postMessage(request, [port2]);
  return answered;
}

/** Whether the reader asked the browser to save data. Only what is used is kept then. */
function saving(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

function show({ kept, total, left }: Kept): void {
  if (left === "quota") line.textContent = "This browser has no room for an offline copy: the page needs the network.";
  else if (left === "network") line.textContent = "The offline copy is not complete; the next visit goes on with it.";
  else if (kept < total) line.textContent = `Keeping a copy for offline use: ${bytes(kept)} of ${bytes(total)}.`;
  else line.textContent = `This page works offline now: this browser keeps ${bytes(total)} for it.`;
}

function offerUpdate(waiting: ServiceWorker): void {
  const use = make("button", "link", "Load it");
  use.type = "button";
  use.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    const request: Request = { type: "takeOver" };
    waiting.postMessage(request);
  });
  line.replaceChildren("There is a newer version of this page. ", use);
}
