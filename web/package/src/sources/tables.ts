/** The tables of documents as lines of prose. */

export interface Cell {
  text: string;
  /** Whether it names its column or its row. */
  isName: boolean;
  /** How many columns and rows it covers. */
  columns: number;
  rows: number;
}

/** The most columns that a cell is taken to cover. */
const MOST_COLUMNS = 50;

/**
 * The rows of a table, a line each: "Tarn: People 900, Area 31 km²." where the columns have names, else the cells one
 * behind the other.
 */
export function linesOf(rows: Cell[][]): string[] {
  const table = covered(rows);
  const named = table.findIndex((row) => !row.every(({ isName }) => isName));
  const marked = named < 0 ? table.length : named;
  const heads = table.slice(0, marked || (looksNamed(table) ? 1 : 0));
  if (heads.length === table.length) return table.map(plain).filter(Boolean);
  const isTitle = (row: Cell[]) => new Set(row).size < 2;
  const rowsOfNames = heads.filter((row) => !isTitle(row));
  const names = (rowsOfNames[0] ?? []).map((_, column) =>
    [...new Set(rowsOfNames.map((row) => row[column]?.text))].filter(Boolean).join(" "),
  );
  return [...heads.filter(isTitle).map(plain), ...table.slice(heads.length).map((row) => lineOf(row, names))].filter(
    Boolean,
  );
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
  return rows.map((cells) => {
    const row: Cell[] = [];
    let next = 0;
    const isCovered = () => (above[row.length]?.left ?? 0) > 0;
    while (next < cells.length || isCovered()) {
      const open = above[row.length];
      if (open && open.left > 0) {
        open.left -= 1;
        row.push(open.cell);
        continue;
      }
      const cell = cells[next++] as Cell;
      for (let column = Math.min(cell.columns, MOST_COLUMNS); column > 0; column--) {
        above[row.length] = { cell, left: cell.rows - 1 };
        row.push(cell);
      }
    }
    return row;
  });
}
