/** What is checked. Written by `./build.sh types` from Rust's. */

/**
 * An answer. All offsets, such as a sentence's, are into its text: the given string, or the texts of its blocks joined
 * by empty lines.
 *
 * - { "markdown": string }: As chatbots write: Markdown.
 * - { "plain": string }: Text without markup, such as a text field's. Empty lines separate paragraphs.
 * - { "blocks": Array<Block> }: What a page shows.
 */
export type Input = { markdown: string } | { plain: string } | { blocks: Block[] };

/** A block of a page: no sentence goes on from one to the next. */
export interface Block {
  /** What it is. */
  kind: BlockKind;
  /**
   * Its words, as the page shows them: "\n" breaks a line, "\t" separates the cells of a row. Formulas are written
   * as text, such as "5" or "x^2". "\u{fffc}", Unicode's object replacement character, stands for a formula or
   * another object that cannot be written as text: a sentence that contains it is not judged.
   */
  text: string;
  /** The level of a heading, 1 to 6, or the number of a reference or of an item of a numbered list. */
  number?: number;
  /** The names of a row's columns, one for each cell. */
  heads?: string[];
  /** The links in its words, in order. */
  links?: LinkPlace[];
}

/**
 * What a block of a page is.
 *
 * - "paragraph": Words in lines.
 * - "item": An item of a list.
 * - "heading": A heading.
 * - "row": A row of a table, without the row that names the columns.
 * - "code": Lines of a program, which are not read.
 * - "reference": The entry that a citation such as "[2]" refers to: the block's `number` is cited, and its first link
 *   is the source. It is not judged.
 */
export type BlockKind = "paragraph" | "item" | "heading" | "row" | "code" | "reference";

/** A link within a block. */
export interface LinkPlace {
  /** The start of its words in the block's text, in UTF-16 code units. */
  start: number;
  /** The end of its words; equal to `start` for a link without words, which is a citation for the words before it. */
  end: number;
  /** Its address. */
  url: string;
}

/** Limits on the score of a verdict. A verdict by the pack's thresholds that is not within these becomes no evidence. */
export interface Certainty {
  /** The least score of a factual sentence. */
  factualFrom?: number;
  /** The score below which a sentence is unfactual. */
  unfactualBelow?: number;
}
