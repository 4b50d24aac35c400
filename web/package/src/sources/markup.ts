/** Markup, read in turns by a parser without a DOM, in time that grows with its length alone. */

import { Parser } from "htmlparser2";
import type { Reading } from "./reading.js";

export type Attributes = Record<string, string>;

/** What the end of an element does. */
export type End = (() => void) | undefined;

/** What is told of markup. */
export interface Follower {
  /** Begins an element; returns what its end does. */
  start(name: string, attributes: Attributes): End;
  /** The same of one below the deepest: its text counts to the deepest around it. Without this it is passed over. */
  startBelow?(name: string, attributes: Attributes): End;
  write(text: string): void;
}

/** The deepest nesting: the parser looks through all open elements at the end of each. */
const DEEPEST = 256;
/** How much is parsed at once, in characters. */
const PIECE = 16_384;
/** The most characters of a named one, such as "&nbsp;". */
const NAMED = 32;

/** Tells `follower` of all of it. In XML, HTML's named characters are known too. */
export async function readMarkup(markup: string, xml: boolean, follower: Follower, reading: Reading): Promise<void> {
  const parser = bounded(follower, xml);
  const known = new Map<string, string>();
  for (let at = 0; at < markup.length; ) {
    let end = at + PIECE;
    if (end < markup.length) end -= /&\w*$/.exec(markup.slice(end - NAMED, end))?.[0].length ?? 0;
    const piece = markup.slice(at, end);
    parser.write(xml ? withCharacters(piece, known) : piece);
    at = end;
    await reading.pause();
  }
  parser.end();
}

/** A follower of XML that is told names without their prefixes. */
export const withBareNames = (follower: Required<Follower>): Follower => ({
  start: (name, attributes) => follower.start(bareName(name), attributes),
  startBelow: (name, attributes) => follower.startBelow(bareName(name), attributes),
  write: (text) => follower.write(text),
});

/** A name of XML without its prefix. */
export const bareName = (name: string): string => name.replace(/^.*:/, "");

/** A parser whose stack has a bottom: of the elements below it only the names are kept, each with its ends. */
function bounded(follower: Follower, xml: boolean): Parser {
  const ends: End[] = [];
  const below = new Map<string, End[]>();
  /** Whether a tag begins an element, whether one below the deepest, and whether that is known yet. */
  let [isStart, isBelow, isKnown] = [true, false, false];

  const endBelow = (name: string) => {
    const open = below.get(name);
    if (!open?.length) return false;
    open.pop()?.();
    return true;
  };
  const leaveBelow = () => {
    for (const open of below.values()) for (const end of open) end?.();
    below.clear();
  };

  class Bounded extends Parser {
    #name = "";

    /** Elements that the parser keeps off its stack: those below the deepest too. */
    override isVoidElement(name: string): boolean {
      if (!name) return false; // of a form within another
      if (super.isVoidElement(name)) return true;
      if (!isStart) return endBelow(name);
      if (!isKnown) isBelow = ends.length >= DEEPEST; // and not before, for it ends some that are open
      isKnown = true;
      this.#name = name;
      return isBelow;
    }

    override onopentagname(start: number, end: number): void {
      [isBelow, isKnown] = [false, false];
      super.onopentagname(start, end);
    }

    override onselfclosingtag(end: number): void {
      if (!isBelow) return super.onselfclosingtag(end);
      this.onopentagend(end);
      if (xml) endBelow(this.#name);
    }

    override onclosetag(start: number, end: number): void {
      [isStart, isBelow] = [false, false];
      super.onclosetag(start, end);
      isStart = true;
    }
  }

  return new Bounded(
    {
      onopentag(name, attributes) {
        if (!isBelow) return void ends.push(follower.start(name, attributes));
        ends.push(undefined); // the parser ends it at once
        const open = below.get(name) ?? [];
        open.push(follower.startBelow?.(name, attributes));
        below.set(name, open);
      },
      ontext: (text) => follower.write(text),
      onclosetag() {
        ends.pop()?.();
        if (ends.length < DEEPEST) leaveBelow();
      },
    },
    { xmlMode: xml, decodeEntities: true },
  );
}

/** XML in which HTML's named characters are replaced by the characters themselves; `known` are those found before. */
const withCharacters = (xml: string, known: Map<string, string>) =>
  xml.replace(/&(?!(?:amp|lt|gt|quot|apos);)[a-z]\w{1,30};/gi, (entity) => {
    const found = known.get(entity) ?? characterOf(entity);
    known.set(entity, found);
    return found;
  });

function characterOf(entity: string): string {
  let text = "";
  new Parser({ ontext: (more) => (text += more) }).end(entity);
  return /[<&]/.test(text) ? entity : text;
}
