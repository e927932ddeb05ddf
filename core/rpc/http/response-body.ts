import type { ElementStream } from './element-stream.ts';

const MB = 2 ** 20;

/** Sizes in bytes after decompression. */
export const SIZE_LIMITS = {
  /** Of a response in memory. Public endpoints send up to this size. */
  largest: 48 * MB,
  /** Of a response that is converted as it arrives: that of the receipts of a block with 280 million gas of empty logs. */
  streamed: 256 * MB,
  /** Larger responses are read one at a time. The receipts of an ordinary block have 0.1 to 3 MB and never wait. */
  big: 4 * MB,
  /** A big response must arrive at least at this rate during its turn, because others wait for it. */
  minBytesPerSecond: 2 * MB,
};

export type SizeLimits = typeof SIZE_LIMITS;

/** A response exceeds the size limit. It is not read to its end. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';

  /** @param largest bytes */
  constructor(largest: number) {
    super(`the response is larger than ${largest / MB} MB`);
  }
}

/** A big response arrives too slowly. */
export class ResponseTooSlowError extends Error {
  override readonly name = 'ResponseTooSlowError';

  constructor() {
    const { big, minBytesPerSecond } = SIZE_LIMITS;
    super(`a response of more than ${big / MB} MB arrived at less than ${minBytesPerSecond / MB} MB/s`);
  }
}

export interface BodyOptions {
  /** The size by the headers, in bytes; NaN if unknown. */
  readonly declared: number;
  /** Called when a big body arrives too slowly during its turn, or a stream of its elements fails. */
  readonly onError: (error: Error) => void;
  readonly limits?: SizeLimits | undefined;
  /** Called when a big body begins to wait for its turn. */
  readonly onWait?: (() => void) | undefined;
  /** Awaited when the turn of a big body begins, before its next chunk is read. */
  readonly onTurn?: () => Promise<void>;
  /** Takes the elements of a big body as they arrive. It must be ready before the turn, because it may wait for another big body. */
  readonly elements?: Pick<ElementStream, 'ready' | 'take'> | undefined;
}

/**
 * Starts to receive a body. Only one big body is in memory at a time; others wait for their turn. A body is big once that many bytes have
 * arrived. Its declared size is ignored, so that an endpoint cannot make others wait.
 * @throws ResponseTooLargeError
 */
export function createBody({ declared, onError, limits = SIZE_LIMITS, ...options }: BodyOptions) {
  const { onWait, onTurn, elements } = options;
  const most = elements ? limits.streamed : limits.largest;
  if (declared > most) throw new ResponseTooLargeError(most);
  const kept = createKeptBytes(limits.largest, elements);
  let size = 0;
  let turn: Turn | undefined;
  let [isBig, isClosed] = [false, false];
  let stopWatch = () => {};
  const waitForTurn = async () => {
    onWait?.();
    await elements?.ready();
    turn = nextTurn();
    if (isClosed) turn.end();
    await turn.begun;
    if (!isClosed) await onTurn?.();
    if (isClosed) return;
    stopWatch = watchRate(() => size, limits.minBytesPerSecond, onError);
    kept.open();
  };
  return {
    /**
     * Adds a chunk; returns a promise when the next chunk must wait (backpressure).
     * @throws ResponseTooLargeError
     */
    add: (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) throw new ResponseTooLargeError(most);
      kept.add(chunk);
      if (isBig || size <= limits.big) return undefined;
      isBig = true;
      const waiting = waitForTurn();
      waiting.catch(onError);
      return waiting;
    },
    /** Passes all bytes that no stream has taken to a function. Its result must not refer to them, because their memory is reused. */
    passTo: <T>(use: (bytes: Buffer) => T): T => use(kept.bytes()),
    /** Releases the memory and lets the next big body start. Must always be called. */
    close: () => {
      isClosed = true;
      stopWatch();
      turn?.end();
      kept.free();
    },
  };
}

/** Creates the memory of a body: its chunks, and from its turn on, one buffer. Elements are taken from the start of the buffer. */
function createKeptBytes(largest: number, elements: BodyOptions['elements']) {
  const start: Buffer[] = [];
  let size = 0;
  let memory: Buffer<ArrayBuffer> | undefined;
  const take = () => {
    if (!memory || !elements) return;
    const done = elements.take(memory.subarray(0, size));
    memory.copyWithin(0, done, size);
    size -= done;
  };
  return {
    add: (chunk: Buffer) => {
      if (size + chunk.length > largest) throw new ResponseTooLargeError(largest);
      if (memory) memory.set(chunk, size);
      else start.push(chunk);
      size += chunk.length;
      take();
    },
    open: () => {
      // Joining a list of chunks would need the memory twice. Pages of this buffer need memory only once they are used.
      memory = Buffer.from(new ArrayBuffer(largest));
      joined(start.splice(0), memory);
      take();
    },
    bytes: () => (memory ? memory.subarray(0, size) : joined(start, sharedBuffer)),
    /** Frees the memory at once, because the garbage collector may be too late for the next big body. */
    free: () => memory?.buffer.transfer(0),
  };
}

/** Compares the size of a body with its size a second ago, until it is stopped or the body is too slow. */
function watchRate(
  sizeNow: () => number,
  minBytesPerSecond: number,
  onSlow: (error: ResponseTooSlowError) => void,
): () => void {
  let before = sizeNow();
  const timer = setInterval(() => {
    const size = sizeNow();
    if (size - before < minBytesPerSecond) {
      clearInterval(timer);
      onSlow(new ResponseTooSlowError());
    }
    before = size;
  }, 1_000).unref();
  return () => clearInterval(timer);
}

/** Memory that all bodies use in turn, unless they are big. Allocating memory for each would slow the ingest by an eighth. */
const sharedBuffer = Buffer.allocUnsafeSlow(SIZE_LIMITS.big);

/** Joins chunks in existing memory. */
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

/** Queues for a turn. If an abort ends a turn before it begins, it is skipped. */
function nextTurn(): Turn {
  const begun = lastTurn;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  lastTurn = begun.then(() => ended);
  return { begun, end };
}
