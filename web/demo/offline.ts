/** The page's part in working without a network: registers the service worker, and tells the reader what it keeps. */

import type { BackendKind } from "evident-check";
import { chooseModel } from "../package/src/device.js";
import { moduleOf } from "../package/src/module.js";
import { byId, make } from "../package/src/ui/dom.js";
import { bytes } from "./format.js";
import type { Kept, Request } from "./offline/messages.js";

/** The key under which it is kept that the reader wants a copy. */
const WANTED = "evident-offline";

const line = byId("offline", HTMLElement);
const update = byId("update", HTMLElement);
/** The copy is for the device that computed last. */
let device: BackendKind = "cpu";

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
    await followCopy(device);
  } catch {
    // Without it the page needs a network.
  }
}

/**
 * Offers a copy that judges without a network, or keeps it whole if the reader has asked for it before. `backend` is the
 * one that computes.
 */
export async function followCopy(backend: BackendKind): Promise<void> {
  device = backend;
  await ask(isWanted() ? "keep" : "weigh");
}

async function ask(type: "keep" | "weigh" | "drop"): Promise<void> {
  if (!navigator.serviceWorker) return;
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", ({ data }: MessageEvent<Kept>) => show(data, type === "keep"));
  port1.start();
  const request: Request = { type, module: moduleOf(device), model: chooseModel("auto") };
  active?.postMessage(request, [port2]);
}

function isWanted(): boolean {
  try {
    return localStorage.getItem(WANTED) !== null;
  } catch {
    return false; // this browser keeps nothing for the page
  }
}

/** Stores whether the reader wants a copy, and has it kept or dropped. */
function want(wanted: boolean): void {
  try {
    if (wanted) localStorage.setItem(WANTED, "yes");
    else localStorage.removeItem(WANTED);
  } catch {
    // The reader is asked again at the next visit.
  }
  void ask(wanted ? "keep" : "drop");
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

function show({ kept, total, left }: Kept, isKept: boolean): void {
  if (kept >= total)
    line.replaceChildren(
      `This page works offline now: this browser keeps ${bytes(total)} for it. `,
      button("Remove the copy", () => want(false)),
    );
  else if (left === "quota")
    line.textContent = "This browser has no room for an offline copy: the page needs the network.";
  else if (left === "network")
    line.textContent = isKept ? "The offline copy is not complete; the next visit goes on with it." : "";
  else if (isKept) line.textContent = `Keeping a copy for offline use: ${bytes(kept)} of ${bytes(total)}.`;
  else line.replaceChildren(button(`Keep a copy for offline use (${bytes(total - kept)})`, () => want(true)));
}

function offerUpdate(waiting: ServiceWorker): void {
  const use = button("Load it", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    const request: Request = { type: "takeOver" };
    waiting.postMessage(request);
  });
  update.replaceChildren("There is a newer version of this page. ", use);
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = make("button", "link", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
