/** What a formula of a page says in words: MathML's, which KaTeX and MathJax put into the page too. */

/** The elements that are formulas. */
export const FORMULAS = "math, .katex, mjx-container, .MathJax, .mwe-math-element";

/** Stands for what cannot be told in words: the engine does not judge the sentence that has it. */
export const OBJECT = "\u{fffc}";

/** Operators that get a space on both sides, unless they come first in their row. */
const SPACED = /^[=≈≠≡<>≤≥≪≫+\-±×÷⋅·∼≃≅∝→⇒⇔∈]$/;

/** An element of MathML, of a page or of a file. */
export interface MathElement {
  localName: string;
  textContent: string | null;
  children: Iterable<MathElement>;
}

/** The words of a formula, such as "5", "10^30" or "E = mc^2"; `OBJECT` where it has none, "" where it is empty. */
export function formulaText(formula: Element): string {
  const math = formula.matches("math") ? formula : formula.querySelector("math");
  if (!math) return formula.textContent?.trim() ? OBJECT : "";
  return mathText(math);
}

/** The words of MathML; `OBJECT` where it has none. */
export const mathText = (math: MathElement): string => (wordsOf(math) ?? OBJECT).replace(/\s+/g, " ").trim();

/** The words of an element of MathML; null where they would not say what it shows. */
function wordsOf(element: MathElement): string | null {
  const parts = [...element.children];
  switch (element.localName) {
    case "mi":
    case "mn":
    case "mtext":
      return textOf(element);
    case "mo":
      return textOf(element).replace(/[\u2061-\u2064]/g, "");
    case "mspace":
      return " ";
    case "semantics":
      return parts[0] ? wordsOf(parts[0]) : "";
    case "math":
    case "mrow":
    case "mstyle":
    case "mpadded":
      return rowOf(parts);
    case "msup":
      return joined(parts, ([base, power]) => (/^[°′″]$/.test(power) ? base + power : `${base}^${grouped(power)}`));
    case "msub":
      return joined(parts, ([base, index]) => base + index);
    case "msubsup":
      return joined(parts, ([base, index, power]) => `${base}${index}^${grouped(power)}`);
    case "mfrac":
      return joined(parts, ([above, below]) => `${grouped(above)}/${grouped(below)}`);
    case "msqrt": {
      const under = rowOf(parts);
      return under === null ? null : `√${grouped(under)}`;
    }
    default:
      return null;
  }
}

/** The words of elements that follow each other. */
function rowOf(parts: MathElement[]): string | null {
  let row = "";
  for (const part of parts) {
    const words = wordsOf(part);
    if (words === null) return null;
    row += part.localName === "mo" && SPACED.test(words) && row.trim() ? ` ${words} ` : words;
  }
  return row.trim();
}

type Words = [string, string, string];

function joined(parts: MathElement[], join: (words: Words) => string): string | null {
  const words = parts.map(wordsOf);
  return words.includes(null) ? null : join(words as Words);
}

/** A number, a letter or a word as it is, anything else within brackets. */
const grouped = (words: string): string => (/^[-+]?([\p{N}.,]+|\p{L}|\p{L}{3,})$/u.test(words) ? words : `(${words})`);

/** The characters of an element, with "-", "°" and the space in place of characters that look alike. */
const textOf = (element: MathElement): string =>
  (element.textContent ?? "")
    .replace(/\u2212/g, "-")
    .replace(/[\u2218\u00b0]/g, "°")
    .replace(/\u00a0/g, " ");
