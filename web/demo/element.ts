/** Builds DOM from text and nodes, so that no string is ever parsed as markup. */

type Child = Node | string;

/** A new element with a class (or none) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} called "${id}".`);
}

/** One of the page's icons, which the word beside it explains. */
export function icon(name: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** The address of a source that is one, as a link may have it. */
export function linkOf(source: string): string | null {
  return /^https?:\/\//.test(source) && URL.canParse(source) ? new URL(source).href : null;
}
