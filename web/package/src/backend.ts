/** Which backend suits this browser: WebGPU on a real graphics card, the CPU's SIMD wherever that would be slower. */

import { EvidentError } from "./errors.js";
import type { BackendKind } from "./report.js";

/** What a caller may ask for: "auto" takes WebGPU where a hardware adapter is there, and falls back to the CPU. */
export type DeviceChoice = "auto" | BackendKind;

/** A graphics driver that has not answered after this time is taken as absent. */
const ADAPTER_PATIENCE_MS = 5_000;

/** Renderers that run on the CPU: there a WebGPU matrix product takes several times what SIMD does. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|microsoft basic render/i;

/** Whether an adapter is a software renderer. */
function isSoftware(info: GPUAdapterInfo): boolean {
  return (
    info.isFallbackAdapter || SOFTWARE.test(`${info.vendor} ${info.architecture} ${info.device} ${info.description}`)
  );
}

/**
 * Turns the caller's choice into what will run.
 * @throws EvidentError "bad-settings" where there is no such choice, "backend-unavailable" where WebGPU is asked
 * for and the browser has no adapter to give.
 */
export async function chooseBackend(choice: DeviceChoice): Promise<BackendKind> {
  if (choice === "cpu") return "cpu";
  if (choice !== "auto" && choice !== "webgpu")
    throw new EvidentError("bad-settings", `device takes "auto", "webgpu" or "cpu", not "${String(choice)}"`);
  const adapter = await requestAdapter();
  if (choice === "auto") return adapter && !isSoftware(adapter.info) ? "webgpu" : "cpu";
  if (adapter) return "webgpu";
  throw new EvidentError(
    "backend-unavailable",
    "this browser offers no WebGPU adapter: choose the CPU, or turn on hardware acceleration in the browser's settings",
  );
}

async function requestAdapter(): Promise<GPUAdapter | null> {
  const gpu = (globalThis.navigator as Navigator | undefined)?.gpu;
  if (!gpu) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ADAPTER_PATIENCE_MS);
  });
  try {
    return await Promise.race([gpu.requestAdapter({ powerPreference: "high-performance" }), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
