// The few rules of English that the templates share.

/** `["a", "b", "c"]` as "a, b and c". */
export function list(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** A number with thousands separators; above a million, in millions. */
function quantity(value) {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} million`;
  return value.toLocaleString("en-GB", { maximumFractionDigits: 2 });
}

/** The same number, cut to three significant digits, as befits an "about". */
export const roughly = (value) => quantity(Number(value.toPrecision(3)));

/** "1st", "2nd", "11th". */
export function ordinal(n) {
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
}

export const capitalise = (text) => text[0].toUpperCase() + text.slice(1);

/** A title as the last part of an id: lower case, ASCII, hyphens. */
export const slug = (title) =>
  title
    .replace(/\(.*?\)/g, "")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/ø/g, "o")
    .replace(/['’ʻ]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** One of several wordings, chosen by position so that neighbours differ and a rerun does not. */
export const vary = (position, ...wordings) => wordings[position % wordings.length];

/** The given sentences that are not empty, as one paragraph. */
export const paragraph = (...sentences) => sentences.filter(Boolean).join(" ");

/** `phrase` after "a" or "an". */
export const indefinite = (phrase) =>
  `${/^([aeiou](?!ni[ctvq]|se|uro|ne\b|wer)|hono|heir)/i.test(phrase) ? "an" : "a"} ${phrase}`;

/** Degrees Celsius in words, without decimals: "minus 12 degrees Celsius". */
export function celsius(degrees) {
  const rounded = Math.abs(degrees) >= 1000 ? Math.round(degrees / 10) * 10 : Math.round(degrees);
  const unit = Math.abs(rounded) === 1 ? "degree" : "degrees";
  return `${rounded < 0 ? "minus " : ""}${quantity(Math.abs(rounded))} ${unit} Celsius`;
}

/** "a b c d" as an object with `a` for the key of `b` and `c` for that of `d`. */
export const pairs = (words) =>
  Object.fromEntries([...words.matchAll(/(\S+)\s+(\S+)/g)].map(([, key, value]) => [key, value]));
