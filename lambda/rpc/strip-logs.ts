const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NAME = Buffer.from('logs');
const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const NOWHERE = -1;
/** Logs are arrays of objects with arrays. */
const MAX_DEPTH = 5;

/**
 * Empties every array and string that is the value of a member whose name begins with `logs`: `logs` and `logsBloom` are 90 %
 * of a response with receipts, and unused. For 560 KB this takes 0.22 ms, and parsing the rest 0.15 ms; parsing everything
 * takes 0.85 ms.
 *
 * JSON.parse returns the same for the result as for `json`, except for those values, and throws if it throws for `json`: only
 * complete values are removed, and no string or bracket of the rest changes. Without a backslash, a quote always begins or ends
 * a string, and in valid JSON, a quote that ends a string is not followed by `logs`. Anything that nodes do not send, such as
 * an escape, a space or a number in a log, stays for JSON.parse to validate.
 * @param json overwritten
 */
export function stripLogs(json: Buffer): Buffer {
  if (json.includes(BACKSLASH)) return json;
  const words = new DataView(json.buffer, json.byteOffset, json.length);
  let size = 0;
  let kept = 0;
  let at = nextValue(json, 0);
  while (at !== NOWHERE) {
    const end = endOf(json, words, at, 0);
    if (end !== NOWHERE) {
      // Keeps the first and the last byte of the value.
      json.copyWithin(size, kept, at + 1);
      size += at + 1 - kept;
      kept = end - 1;
    }
    at = nextValue(json, end === NOWHERE ? at : end);
  }
  json.copyWithin(size, kept);
  return json.subarray(0, size + json.length - kept);
}

/** Returns the start of the next array or string to empty. */
function nextValue(json: Buffer, from: number): number {
  for (let at = json.indexOf(NAME, from); at !== NOWHERE; at = json.indexOf(NAME, at + NAME.length)) {
    if (json[at - 1] !== QUOTE) continue;
    const nameEnd = json.indexOf(QUOTE, at);
    if (nameEnd === NOWHERE) return NOWHERE;
    const value = nameEnd + 2;
    if (json[nameEnd + 1] === COLON && (json[value] === QUOTE || json[value] === OPEN_ARRAY)) return value;
  }
  return NOWHERE;
}

/** Returns the end of the value that begins here; NOWHERE when it is not certain. */
function endOf(json: Buffer, words: DataView, start: number, depth: number): number {
  let at = start;
  switch (depth <= MAX_DEPTH && json[at]) {
    case QUOTE:
      return endOfString(json, words, at);
    case OPEN_ARRAY:
      if (json[at + 1] === CLOSE_ARRAY) return at + 2;
      do at = endOf(json, words, at + 1, depth + 1);
      while (json[at] === COMMA);
      return json[at] === CLOSE_ARRAY ? at + 1 : NOWHERE;
    case OPEN_OBJECT:
      if (json[at + 1] === CLOSE_OBJECT) return at + 2;
      do {
        at = endOfString(json, words, at + 1);
        at = json[at] === COLON ? endOf(json, words, at + 1, depth + 1) : NOWHERE;
      } while (json[at] === COMMA);
      return json[at] === CLOSE_OBJECT ? at + 1 : NOWHERE;
    default:
      return endOfLiteral(json, at);
  }
}

function endOfString(json: Buffer, words: DataView, start: number): number {
  if (json[start] !== QUOTE) return NOWHERE;
  let at = start + 1;
  // Bytes below the quote are the space, "!" and control characters. Testing four bytes at once saves a quarter of the time.
  while (at + 4 <= json.length && !hasByteUpToQuote(words.getInt32(at))) at += 4;
  for (let byte = json[at]; byte !== undefined && byte > QUOTE; byte = json[at]) at += 1;
  return json[at] === QUOTE ? at + 1 : NOWHERE;
}

/** https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord */
const hasByteUpToQuote = (word: number): boolean =>
  ((word - 0x0101_0101 * (QUOTE + 1)) & ~word & 0x8080_8080) !== 0;

function endOfLiteral(json: Buffer, start: number): number {
  for (const literal of LITERALS) if (isAt(json, start, literal)) return start + literal.length;
  return NOWHERE;
}

function isAt(json: Buffer, start: number, literal: Buffer): boolean {
  for (let index = 0; index < literal.length; index++) {
    if (json[start + index] !== literal[index]) return false;
  }
  return true;
}
