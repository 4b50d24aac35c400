/** Turns Evident on for a site by a click: the browser asks the reader for leave, and the background does the rest. */

import { make } from "../../package/src/ui/dom.js";
import { patternOf, type Site } from "./sites.js";

/** Whether Evident may read these origins. */
export const isEnabled = (origins: readonly string[]): Promise<boolean> =>
  chrome.permissions.contains({ origins: origins.map(patternOf) });

/** A button that turns it on for a site's origins, and then tells whether the reader gave leave. */
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
