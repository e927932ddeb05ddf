const MB = 2 ** 20;

/** The largest answer that is read, in bytes after decompression: public endpoints send up to this much. */
const LARGEST = 160 * MB;

/** An answer of more bytes than this is big. The receipts of an ordinary block have 0.1 to 3 MB: they never wait. */
const BIG = 4 * MB;

/** An answer that was not read, or not to its end, because it is too large. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';

  /** @param largest bytes */
  constructor(largest: number) {
    super(`the answer is larger than ${largest / MB} MB`);
  }
}

/** In bytes after decompression. */
export interface Limits {
  readonly largest: number;
  readonly big: number;
}

const LIMITS: Limits = { largest: LARGEST, big: BIG };

/** A body that is put together. */
interface Body {
  /**
   * @returns when the next chunk may come; at once, where that is undefined
   * @throws ResponseTooLargeError
   */
  readonly add: (chunk: Buffer) => Promise<void> | undefined;
  /** Gives all of it to a function; what that returns must not hold on to the bytes, for they are overwritten. */
  readonly giveTo: <T>(use: (bytes: Buffer) => T) => T;
  /** Lets the next big one in. To be called in any case, in the end. */
  readonly close: () => void;
}

/**
 * Of the big bodies only one is in memory at a time: the others are not read on until it is closed, and take turns in the
 * order in which they turned out to be big.
 * @param declared how long its headers say that it is, in bytes; NaN when they do not
 * @param limits only tests need others
 * @throws ResponseTooLargeError
 */
export function openBody(declared: number, { largest, big }: Limits = LIMITS): Body {
  if (declared > largest) throw new ResponseTooLargeError(largest);
  const start: Buffer[] = [];
  let size = 0;
  let turn: Turn | undefined;
  let memory: Buffer<ArrayBuffer> | undefined;
  let isClosed = false;

  const begin = () => {
    if (isClosed) return;
    // Joining a list of chunks would take the memory twice. What is never written to takes none.
    memory = Buffer.from(new ArrayBuffer(largest));
    joined(start.splice(0), memory);
  };
  return {
    add: (chunk) => {
      if (size + chunk.length > largest) throw new ResponseTooLargeError(largest);
      if (memory) memory.set(chunk, size);
      else start.push(chunk);
      size += chunk.length;
      // One that says that it is big waits before it takes any memory.
      if (turn || (size <= big && !(declared > big))) return undefined;
      turn = nextTurn();
      return turn.begun.then(begin);
    },
    giveTo: (use) => use(memory ? memory.subarray(0, size) : joined(start, place)),
    close: () => {
      isClosed = true;
      turn?.end();
      // Frees it at once: left to the collector it may still be there when the next one comes.
      memory?.buffer.transfer(0);
    },
  };
}

/**
 * Where the bodies that are not big are put together, one after the other. Fresh memory for each would cost an eighth of the
 * speed of the ingest.
 */
const place = Buffer.allocUnsafeSlow(BIG);

/** Chunks one after the other, in the memory given. */
function joined(chunks: readonly Buffer[], memory: Buffer): Buffer {
  let size = 0;
  for (const chunk of chunks) {
    memory.set(chunk, size);
    size += chunk.length;
  }
  return memory.subarray(0, size);
}

interface Turn {
  readonly begun: Promise<void>;
  readonly end: () => void;
}

let lastTurn = Promise.resolve();

/** Queues up. A turn that ends before it has begun, because of an abort, is passed over. */
function nextTurn(): Turn {
  const begun = lastTurn;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  lastTurn = begun.then(() => ended);
  return { begun, end };
}
