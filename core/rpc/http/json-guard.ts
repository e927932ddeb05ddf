const QUOTE = 0x22;
const [COMMA, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(',\\[]{}');

/** JSON.parse takes at most 0.3 s and 40 MB for the worst JSON of this size, so smaller bodies are not scanned. */
const MIN_SIZE = 2 ** 20;
/** A transaction with an access list is nested six deep. */
export const MAX_DEPTH = 32;
/** Real nodes send fewer than 200 names, in a few dozen kinds of objects with up to 50 members each. */
const MAX_SHAPES = 10_000;
const MAX_NAME_LENGTH = 100;
/**
 * Lowest average size of the values of a response, in bytes. The smallest objects that can fill a block are entries of an access list
 * without keys, with 72 bytes and two members; the smallest elements of arrays are hashes.
 */
const MIN_BYTES = { object: 40, nextMember: 20, array: 8, nextElement: 8 };

/**
 * Returns a problem if parsing a body would cost far more than its size suggests. Each limit bounds an attack on JSON.parse: 16 MB of nested
 * arrays take 5 s and 600 MB, and 16 MB of objects with different members take 4 s. Bodies that are not JSON pass, because JSON.parse refuses
 * them.
 */
export function jsonCostProblem(json: Buffer): string | undefined {
  if (json.length <= MIN_SIZE) return undefined;
  const first = new Shape();
  const shapeAfter = shapes();
  /** The shape so far of each open object, the innermost last; undefined for arrays. */
  const open: (Shape | undefined)[] = [];
  let isName = false;
  let minBytes = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at) ?? json.length - 1;
      const shape = open.at(-1);
      if (isName && shape) {
        const next = shapeAfter(shape, json, at + 1, end);
        if (next === undefined) return 'the objects in the response have too many different members';
        open[open.length - 1] = next;
      }
      isName = false;
      at = end;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      isName = byte === OPEN_OBJECT;
      open.push(isName ? first : undefined);
      minBytes += isName ? MIN_BYTES.object : MIN_BYTES.array;
      if (open.length > MAX_DEPTH) return `the response is nested more than ${MAX_DEPTH} deep`;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open.pop();
    } else if (byte === COMMA) {
      isName = open.at(-1) !== undefined;
      minBytes += isName ? MIN_BYTES.nextMember : MIN_BYTES.nextElement;
      if (minBytes > json.length) return 'the response has too many values for its size';
    }
  }
  return undefined;
}

/** The names of the members of an object so far, as JSON.parse remembers them: it leads to the shape with one more name. */
class Shape extends Map<string, Shape> {}

/** Returns a function that gives the shape with one more name, or undefined if there are too many shapes. */
function shapes(): (shape: Shape, json: Buffer, start: number, end: number) => Shape | undefined {
  let count = 0;
  return (shape, json, start, end) => {
    if (end - start > MAX_NAME_LENGTH) return undefined;
    const name = json.toString('latin1', start, end);
    const known = shape.get(name);
    if (known || ++count >= MAX_SHAPES) return known;
    const next = new Shape();
    shape.set(name, next);
    return next;
  };
}

/** Returns the position of the quote that ends a string, or undefined if there is none. */
export function endOfString(json: Buffer, start: number): number | undefined {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return undefined;
}
