import { DecodeError, withoutForeignText } from './decode.ts';
import { endOfString, jsonCostProblem } from './json-guard.ts';

/** Converts an element of a long result into a smaller form. */
export type ConvertElement = (value: unknown, index: number) => unknown;

/** The members before the result, in any order. */
const HEAD = /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\]{0,20}"|\d{1,20}|null)\s*,)*\s*"result"\s*:\s*\[/;
const MAX_HEAD = 1_024;
/** Far more than the receipts of any block. */
const MAX_ELEMENTS = 100_001;

const [QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",[]{}');
const SPACES: ReadonlySet<number | undefined> = new Set([...Buffer.from(' \t\r\n'), COMMA]);

/** The elements of a long result, which are converted as they arrive. */
export interface ElementStream {
  /** Must be awaited before the first `take`. */
  readonly ready: () => Promise<void>;
  /**
   * Converts the elements that are complete in `bytes`.
   * @param bytes the bytes that were not taken before, followed by new ones
   * @returns the number of bytes that are done; 0 for a response of another form
   * @throws DecodeError when an element is not JSON, or there are too many
   */
  readonly take: (bytes: Buffer) => number;
  /** Returns the response, with the elements as its result. @throws SyntaxError */
  readonly parse: (rest: Buffer) => unknown;
}

/**
 * Splits a response whose result is a long array of objects while its bytes arrive, so that only one element is in memory.
 * @param prepare returns the conversion; called once the response turns out to be big
 */
export function createElementStream(prepare: () => Promise<ConvertElement>): ElementStream {
  let convert: ConvertElement | undefined;
  let head: string | undefined;
  let isOver = false;
  const values: unknown[] = [];
  const scan = createScan();
  return {
    ready: async () => {
      convert ??= await prepare();
    },
    take: (bytes) => {
      let done = 0;
      if (head === undefined) {
        [head] = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD)) ?? [];
        if (head === undefined) return 0;
        done = head.length;
      }
      while (!isOver) {
        while (SPACES.has(bytes[done])) done += 1;
        isOver = bytes[done] === CLOSE_ARRAY;
        if (isOver) return done;
        const end = scan(bytes, done);
        if (end === undefined) return done;
        values.push(convert?.(elementIn(bytes.subarray(done, end), values.length), values.length));
        done = end;
      }
      return done;
    },
    parse: (rest) => {
      if (head === undefined) return JSON.parse(rest.toString());
      return { ...JSON.parse(head + rest.toString()), result: values };
    },
  };
}

/** Returns a function that finds the end of the object at `begin`, or undefined. The next call for that object continues there. */
function createScan(): (bytes: Buffer, begin: number) => number | undefined {
  /** Scanned bytes and open brackets of the object that is not complete yet. */
  let [scanned, depth] = [0, 0];
  return (bytes, begin) => {
    for (let at = begin + scanned; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        const end = endOfString(bytes, at);
        if (end === undefined) {
          scanned = at - begin;
          return undefined;
        }
        at = end;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth <= 0) {
        [scanned, depth] = [0, 0];
        return at + 1;
      }
    }
    scanned = bytes.length - begin;
    return undefined;
  };
}

function elementIn(json: Buffer, index: number): unknown {
  const problem = index >= MAX_ELEMENTS ? `more than ${MAX_ELEMENTS} elements` : jsonCostProblem(json);
  if (problem) throw new DecodeError(`[${index}]: ${problem}`);
  try {
    return withoutForeignText(JSON.parse(json.toString()), json);
  } catch {
    throw new DecodeError(`[${index}]: it is not JSON`);
  }
}
