/** What is checked. Written by `./build.sh types` from Rust's. */

/**
 * An answer. All places in it, such as a sentence's, are in its text: what is given, or the texts of its blocks with an
 * empty line between each two.
 *
 * - { "markdown": string }: As chatbots write: Markdown.
 * - { "plain": string }: Words in which nothing is a mark, such as a text field's. Empty lines part paragraphs.
 * - { "blocks": Array<Block> }: What a page shows.
 */
export type Input = { markdown: string } | { plain: string } | { blocks: Block[] };

/** A block of a page: no sentence goes on from one to the next. */
export interface Block {
  /** What it is. */
  kind: BlockKind;
  /**
   * Its words, as the page shows them: "\n" breaks a line, "\t" parts the cells of a row. Formulas are among them as
   * words, such as "5" or "x^2". "\u{fffc}", Unicode's object replacement character, stands for a formula or another
   * object that cannot be told in words: the sentence that has it is not judged.
   */
  text: string;
  /** Of a heading its level, 1 to 6, and of an item of a numbered list its number. */
  number?: number;
  /** Of a row the names of its columns, one for each cell. */
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
 * - "reference": What a number stands for that words cite, such as "[2]": the block's `number`, and its first link.
 *   It is not read.
 */
export type BlockKind = "paragraph" | "item" | "heading" | "row" | "code" | "reference";

/** A link within a block. */
export interface LinkPlace {
  /** Where the UTF-16 code units of its words begin in the block's text. */
  start: number;
  /** Where they end; `start` for a link without words, which cites for the words before it. */
  end: number;
  /** Its address. */
  url: string;
}

/** The scores from which verdicts count. What the pack's thresholds decide, and these do not, is undecided. */
export interface Certainty {
  /** The least score of a factual sentence. */
  factualFrom?: number;
  /** The score below which a sentence is unfactual. */
  unfactualBelow?: number;
}
