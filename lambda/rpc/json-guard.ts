const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** JSON.parse takes at most 0.3 s and 40 MB for the worst JSON of this size, so smaller bodies are not scanned. */
const MIN_SIZE = 2 ** 20;
/** A transaction with an access list is nested six deep. */
const MAX_DEPTH = 32;
/** The largest object that nodes send is a header with about 40 members. */
const MAX_MEMBERS = 1_000;
/** The shortest members that nodes send, such as `"v":"0x0",`, take ten bytes; the average is far above twenty. */
const MIN_BYTES_PER_VALUE = 8;

/**
 * Returns why parsing a body would cost far more than its size suggests, or undefined when it would not. Each limit bounds an attack on
 * JSON.parse: 16 MB of nested arrays take 5 s and 600 MB, of object members 4 s, of empty objects 2 s and 600 MB. Bodies that are not
 * JSON pass, for JSON.parse to refuse.
 */
export function jsonCostProblem(json: Buffer): string | undefined {
  if (json.length <= MIN_SIZE) return undefined;
  const maxValues = json.length / MIN_BYTES_PER_VALUE;
  /** Commas so far in each open object, the innermost last; arrays may have any number. */
  const commas: number[] = [];
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        commas.push(json[at] === OPEN_OBJECT ? 0 : Number.NEGATIVE_INFINITY);
        values += 1;
        if (commas.length > MAX_DEPTH) return `the response is nested more than ${MAX_DEPTH} deep`;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        commas.pop();
        break;
      case COMMA:
        values += 1;
        if (values > maxValues) return `the response has more than one value in ${MIN_BYTES_PER_VALUE} bytes`;
        commas.push((commas.pop() ?? 0) + 1);
        if ((commas.at(-1) ?? 0) >= MAX_MEMBERS) return `an object has more than ${MAX_MEMBERS} members`;
        break;
    }
  }
  return undefined;
}

/** Returns the place of the quote that ends a string, or the last byte when there is none. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length - 1;
}
