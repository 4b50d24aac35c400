/**
 * The marks in a page, under names of their own. A page shares the registry of highlights: it can see the marks, and
 * take them away or move them, so it is looked whether they still stand.
 */

import { HighlightMarks } from "../../package/src/ui/marks.js";

/** Names of highlights that a page cannot know before they are there. */
export function newPrefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `evident-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}-`;
}

type Place = Pick<Range, "startContainer" | "startOffset" | "endContainer" | "endOffset">;

export class OwnMarks extends HighlightMarks {
  readonly #put: { name: string; range: Range; place: Place }[] = [];

  /** Whether all that was marked is still marked, where it was. */
  stand(): boolean {
    return this.#put.every(({ name, range, place }) => {
      const highlight = CSS.highlights.get(this.prefix + name);
      return highlight?.has(range) && highlight.priority === 0 && isSame(place, range);
    });
  }

  protected override put(name: string, range: Range): void {
    super.put(name, range);
    const { startContainer, startOffset, endContainer, endOffset } = range;
    this.#put.push({ name, range, place: { startContainer, startOffset, endContainer, endOffset } });
  }
}

const isSame = (a: Place, b: Place): boolean =>
  a.startContainer === b.startContainer &&
  a.startOffset === b.startOffset &&
  a.endContainer === b.endContainer &&
  a.endOffset === b.endOffset;
