/** Warns an author whose `for` names an element that is not there. */

import { distance } from "../known.js";

/** How long a page has to render the element that `for` names. */
const PATIENCE_MS = 2_000;

/** Letters that a name may be off to be taken for a misspelling. */
const NEAR = 3;

/** Warns on the console, once and after a while, if `for` still names no element. */
export function warnIfMissing(host: HTMLElement): void {
  setTimeout(() => {
    const id = host.getAttribute("for");
    const root = host.getRootNode() as Document | ShadowRoot;
    if (!id || !host.isConnected || root.getElementById(id)) return;
    console.warn(`<${host.localName} for="${id}"> ${adviceFor(id, host, root)}`, host);
  }, PATIENCE_MS);
}

function adviceFor(id: string, host: HTMLElement, root: Document | ShadowRoot): string {
  if (id.startsWith("#") && root.getElementById(id.slice(1))) return "finds nothing: write the id without the #";
  if (root !== document && document.getElementById(id))
    return "finds nothing in its shadow tree; the page has that id outside of it: put both into one tree";
  const ids = Array.from(root.querySelectorAll("[id]"), (element) => element.id).filter((other) => other !== host.id);
  const [nearest] = ids
    .map((other) => ({ other, far: distance(id.toLowerCase(), other.toLowerCase()) }))
    .filter(({ far }) => far <= NEAR)
    .sort((a, b) => a.far - b.far);
  const hint = nearest ? `did you mean "${nearest.other}"?` : "is it rendered later, or in a shadow tree?";
  return `finds nothing: no element has the id "${id}"; ${hint}`;
}
