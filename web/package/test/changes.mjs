/** Inputs that are changed at random: the same ones at each run, as many as there is time for. */

/** Pieces that readers of numbers, marks and lengths may take badly. */
const PIECES = ["<", ">", "&", "</", "/>", '"', "\0", "\x01", "é", "\ud83d", "&#x110000;", "&#1;", "999999999", "-1"];

/**
 * Texts or bytes that are made of `seeds` by a few changes each, for `seconds`: FUZZ_SECONDS if that is set. `told` is
 * given their number at the end.
 */
export function* changes(seeds, told, seconds = 0.5) {
  const random = numbers();
  const below = (most) => Math.floor(random() * most);
  const end = performance.now() + Number(process.env.FUZZ_SECONDS ?? seconds) * 1_000;
  let inputs = 0;
  for (; performance.now() < end; inputs++) {
    let input = seeds[below(seeds.length)];
    for (let left = 1 + below(4); left > 0; left--) input = change(input, seeds[below(seeds.length)], below);
    yield input;
  }
  told?.(`${inputs} inputs`);
}

function change(input, other, below) {
  const [start, from] = [below(input.length + 1), below(other.length + 1)];
  const length = 2 ** below(10);
  const put = (more, removed = 0) => joined(input.slice(0, start), more, input.slice(start + removed));
  switch (below(6)) {
    case 0:
      return put(piece(input, PIECES[below(PIECES.length)]));
    case 1:
      return put(piece(input, String.fromCharCode(below(256))), 1);
    case 2:
      return put(input.slice(0, 0), below(length));
    case 3:
      return put(input.slice(start, start + below(length)));
    case 4:
      return put(other.slice(from, from + below(length)));
    default:
      return put(other.slice(from, from + below(length)), below(length));
  }
}

/** A piece of the kind of `input`. */
const piece = (input, text) => (typeof input === "string" ? text : new Uint8Array(Buffer.from(text, "latin1")));

const joined = (...parts) => (typeof parts[0] === "string" ? parts.join("") : new Uint8Array(Buffer.concat(parts)));

/** Numbers from 0 up to 1, by Mulberry32. */
function numbers() {
  let state = 53;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
