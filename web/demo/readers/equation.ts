/** An equation of Word (ECMA-376, Office Math) in words: by the rules for MathML, whose elements its own resemble. */

import type { Attributes } from "../../package/src/sources/markup.js";
import { type MathElement, mathText } from "../../package/src/ui/formula.js";

/** The elements of MathML by those of Word; for others there are no words. */
const MATHML: Record<string, string> = {
  t: "mtext",
  sSup: "msup",
  sSub: "msub",
  sSubSup: "msubsup",
  f: "mfrac",
  rad: "msqrt",
  ...Object.fromEntries(
    "r e num den deg sup sub fName func d box borderBox ins".split(" ").map((name) => [name, "mrow"]),
  ),
};

const DEEPEST = 50;

type Node = MathElement & { children: Node[]; textContent: string };

const nodeOf = (localName: string, textContent = ""): Node => ({ localName, textContent, children: [] });

export class Equation {
  readonly #open = [nodeOf("math")];
  #fences = ["(", ")"];
  /** The elements that are open within properties, those included. */
  #skipping = 0;

  get words(): string {
    return mathText(this.#open[0] as Node);
  }

  /** Begins an element; what its end does. */
  start(name: string, { val = "" }: Attributes): () => void {
    if (this.#skipping > 0 || name.endsWith("Pr")) {
      this.#skipping += 1;
      if (name === "begChr") this.#fences[0] = val;
      if (name === "endChr") this.#fences[1] = val;
      return () => {
        this.#skipping -= 1;
      };
    }
    if (name === "d") this.#fences = ["(", ")"];
    const node = nodeOf((this.#open.length < DEEPEST && MATHML[name]) || "");
    this.#open.at(-1)?.children.push(node);
    this.#open.push(node);
    const fences = this.#fences;
    return () => {
      this.#open.pop();
      if (name === "d") {
        const [before = "", after = ""] = fences;
        node.children = [nodeOf("mo", before), ...node.children, nodeOf("mo", after)];
      } else if (name === "rad") {
        const [degree, under] = node.children;
        if (degree?.children.length) node.localName = "";
        else node.children = under ? [under] : [];
      } else if (name === "func") node.children.splice(1, 0, nodeOf("mspace"));
    };
  }

  write(text: string): void {
    const node = this.#open.at(-1);
    if (this.#skipping === 0 && node?.localName === "mtext") node.textContent += text;
  }
}
