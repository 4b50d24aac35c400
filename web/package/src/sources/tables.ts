/** The tables of documents as lines of prose. */

export interface Cell {
  text: string;
  /** Whether it names its column or its row. */
  isName: boolean;
  /** How many columns and rows it covers. */
  columns: number;
  rows: number;
}

/** The most columns that a cell is taken to cover, and that a row has. */
const MOST_COLUMNS = 50;
const WIDEST = 1_000;
/** The most places of a table that cells cover beside their own: a small page may ask for any number. */
const MOST_COVERED = 1_000_000;
/** The most characters of a column's name, which each row repeats. */
const LONGEST_NAME = 500;

/**
 * The rows of a table, a line each: "Tarn: People 900, Area 31 km²." where the columns have names, else the cells one
 * behind the other.
 */
export function* linesOf(rows: Cell[][]): Generator<string> {
  const table = covered(rows);
  const named = table.findIndex((row) => !row.every(({ isName }) => isName));
  const marked = named < 0 ? table.length : named;
  const heads = table.slice(0, marked || (looksNamed(table) ? 1 : 0));
  const isTitle = (row: Cell[]) => new Set(row).size < 2;
  const isHeads = heads.length === table.length;
  const rowsOfNames = heads.filter((row) => !isTitle(row));
  const names = (rowsOfNames[0] ?? []).map((_, column) => nameOf(rowsOfNames.map((row) => row[column]?.text)));
  for (const row of heads) if (isHeads || isTitle(row)) yield* line(plain(row));
  for (const row of table.slice(heads.length)) yield* line(lineOf(row, names));
}

/** A line, unless it is empty. */
const line = (text: string) => (text ? [text] : []);

/** What the cells above a column call it. */
function nameOf(texts: (string | undefined)[]): string {
  const name = [...new Set(texts)].filter(Boolean).join(" ");
  return name.length > LONGEST_NAME ? "" : name;
}

function lineOf(row: Cell[], names: string[]): string {
  const [first, ...others] = row;
  const isPlain = !first?.text || row.some(({ columns }) => columns > 1) || !others.some(({ text }) => text);
  if (isPlain) return plain(row);
  if (names.length >= row.length && names.length > 1)
    return told(
      first.text,
      others.map(({ text }, index) => text && `${names[index + 1]} ${text}`.trim()),
    );
  return row.length === 2 && first.isName ? told(first.text, [others[0]?.text ?? ""]) : plain(row);
}

const told = (name: string, values: string[]) =>
  `${name.replace(/:$/, "")}: ${values.filter(Boolean).join(", ")}`.replace(/([^.!?])$/, "$1.");

const plain = (row: Cell[]) =>
  [...new Set(row)]
    .map(({ text }) => text)
    .filter(Boolean)
    .join(" ");

/** Whether the first row of a table that marks no names has them: words above numbers. */
function looksNamed([first = [], ...rest]: Cell[][]): boolean {
  const isWord = ({ text, columns }: Cell) =>
    /\p{L}/u.test(text) && !/\d/.test(text) && text.length < 40 && columns === 1;
  return (
    rest.length > 1 &&
    first.length > 1 &&
    rest.every(({ length }) => length === first.length) &&
    first.every(isWord) &&
    first.some((_, column) => column > 0 && rest.every((row) => /\d/.test(row[column]?.text ?? "")))
  );
}

/** The rows with each cell in every place that it covers. */
function covered(rows: Cell[][]): Cell[][] {
  const above: { cell: Cell; left: number }[] = [];
  let more = MOST_COVERED;
  return rows.map((cells) => {
    const row: Cell[] = [];
    let next = 0;
    const isCovered = () => more > 0 && (above[row.length]?.left ?? 0) > 0;
    while (row.length < WIDEST && (next < cells.length || isCovered())) {
      const open = above[row.length];
      if (open && isCovered()) {
        open.left -= 1;
        more -= 1;
        row.push(open.cell);
        continue;
      }
      const cell = cells[next++] as Cell;
      const columns = Math.min(cell.columns, MOST_COLUMNS, more + 1);
      more -= columns - 1;
      for (let column = 0; column < columns; column++) {
        above[row.length] = { cell, left: cell.rows - 1 };
        row.push(cell);
      }
    }
    return row;
  });
}
