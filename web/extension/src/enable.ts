/** Turns Evident on for a site by a click, or pauses it there; the background does the rest. */

import { make } from "../../package/src/ui/dom.js";
import { savePreferences } from "./preferences.js";
import { patternOf, type Site } from "./sites.js";

/** Whether Evident may read these origins. */
export const isEnabled = (origins: readonly string[]): Promise<boolean> =>
  chrome.permissions.contains({ origins: origins.map(patternOf) });

/** A button that turns it on for a site's origins by the browser's leave, and then tells whether the reader gave it. */
export function enableButton(
  { name }: Pick<Site, "name">,
  origins: readonly string[],
  onAnswer: (granted: boolean) => void,
): HTMLButtonElement {
  const button = make("button", "primary", `Enable on ${name}`);
  button.type = "button";
  button.addEventListener("click", () => {
    // Asked at once, while the click lasts.
    chrome.permissions.request({ origins: origins.map(patternOf) }).then(onAnswer, () => onAnswer(false));
  });
  return button;
}

/** A button that pauses it on a site, or resumes; `paused` are the sites where it is paused. The leave stays. */
export function pauseButton({ id, name }: Pick<Site, "id" | "name">, paused: readonly string[]): HTMLButtonElement {
  const isPaused = paused.includes(id);
  const button = make("button", isPaused ? "primary" : "", `${isPaused ? "Resume" : "Pause"} on ${name}`);
  button.type = "button";
  button.addEventListener("click", () => {
    const others = paused.filter((other) => other !== id);
    void savePreferences({ paused: isPaused ? others : [...others, id] });
  });
  return button;
}
