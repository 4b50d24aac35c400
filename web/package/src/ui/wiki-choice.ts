/** The choice of a wiki to ask: a known one, or another by the address of its api.php. */

/** The known wikis, by the address of their api.php. */
const WIKIS = new Map([
  ["https://en.wikipedia.org/w/api.php", "Wikipedia"],
  ["https://simple.wikipedia.org/w/api.php", "Simple English Wikipedia"],
]);

/** The value of the choice of another. */
const OTHER = "other";

/** What a wiki sees beside the words that it is sent. */
export const SEEN_BY_WIKI =
  "It sees your network address, as every site does. It gets no sentence, no cookie and no referrer.";

/** A known wiki's name; the address of any other. */
export const wikiName = (wiki: string): string => WIKIS.get(wiki) ?? wiki;

export class WikiChoice {
  readonly #choice: HTMLSelectElement;
  readonly #address: HTMLInputElement;

  /** Adds the wikis to `choice`. In `address` the reader names another; it is shown for that alone. */
  constructor(choice: HTMLSelectElement, address: HTMLInputElement) {
    this.#choice = choice;
    this.#address = address;
    choice.append(...[...WIKIS].map(([wiki, name]) => new Option(name, wiki)), new Option("another wiki", OTHER));
    choice.addEventListener("change", () => this.#show());
    address.setAttribute("aria-label", "Address of its api.php");
    address.placeholder = "https://wiki.example.org/w/api.php";
    address.inputMode = "url";
    address.autocomplete = "off";
    address.dir = "ltr";
    this.#show();
  }

  /** Whether the reader names another, perhaps not yet. */
  get isOther(): boolean {
    return this.#choice.value === OTHER;
  }

  /** What the reader has chosen or named, "" for nothing. */
  get wiki(): string {
    return this.isOther ? this.#address.value.trim() : this.#choice.value;
  }

  set wiki(wiki: string) {
    const isListed = [...this.#choice.options].some(({ value }) => value === wiki);
    [this.#choice.value, this.#address.value] = isListed ? [wiki, ""] : [OTHER, wiki];
    this.#show();
  }

  #show(): void {
    this.#address.hidden = !this.isOther;
  }
}
