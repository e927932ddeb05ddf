import pLimit from 'p-limit';
import type { ElementStream } from './element-stream.ts';

const MB = 2 ** 20;

/** Sizes in bytes after decompression. */
export const SIZE_LIMITS = {
  /** The limit of a response in memory. Public endpoints send up to this size. */
  largest: 48 * MB,
  /** The limit of a response that is converted as it arrives: the receipts of a block with 280 million gas of empty logs. */
  streamed: 256 * MB,
  /** Larger responses are read one at a time. The receipts of an ordinary block have 0.1 to 3 MB and never wait. */
  big: 4 * MB,
  /** A big response must arrive at least at this rate during its turn, because others wait for it. */
  minBytesPerSecond: 2 * MB,
};

/** A response that is not read to its end. */
export class ResponseError extends Error {
  readonly kind: 'too large' | 'timeout';

  constructor(kind: ResponseError['kind'], problem: string) {
    super(problem);
    this.kind = kind;
  }
}

const tooLarge = (largest: number) =>
  new ResponseError('too large', `the response is larger than ${largest / MB} MB`);

export interface BodyOptions {
  readonly limits?: typeof SIZE_LIMITS | undefined;
  /** Called when a big body begins to wait for its turn. */
  readonly onWait?: (() => void) | undefined;
  /** Awaited when the turn of a big body begins, before its next chunk is read. */
  readonly onTurn?: () => Promise<void>;
  /** Takes the elements of a big body as they arrive. It must be ready before the turn, because it may wait for another big body. */
  readonly elements?: Pick<ElementStream, 'ready' | 'take'> | undefined;
}

/** A body that is being received. */
export interface ResponseBody {
  /** Adds a chunk; returns a promise when the next chunk must wait (backpressure). @throws ResponseError */
  readonly add: (chunk: Buffer) => Promise<void> | undefined;
  /** Returns all bytes that no stream has taken. Their memory is reused at the next body, or freed by `close`. */
  readonly bytes: () => Buffer;
  /** Releases the memory and lets the next big body start. Must always be called. */
  readonly close: () => void;
}

/** Only one big body is in memory at a time. */
const turns = pLimit(1);

/**
 * Starts to receive a body. Once more than `limits.big` bytes have arrived, the body waits for its turn. Its declared size does not count,
 * so that an endpoint cannot make others wait.
 * @param declared the size by the headers, in bytes; NaN if unknown
 * @param onError called when a big body arrives too slowly during its turn, or a stream of its elements fails
 * @throws ResponseError
 */
export function createBody(
  declared: number,
  onError: (error: Error) => void,
  options: BodyOptions = {},
): ResponseBody {
  const { limits = SIZE_LIMITS, onWait, onTurn, elements } = options;
  const most = elements ? limits.streamed : limits.largest;
  if (declared > most) throw tooLarge(most);
  const kept = createKeptBytes(limits.largest, elements);
  const closed = Promise.withResolvers<void>();
  let [size, isBig, isClosed] = [0, false, false];
  let watch: NodeJS.Timeout | undefined;
  const waitForTurn = async () => {
    onWait?.();
    await elements?.ready();
    const turn = Promise.withResolvers<void>();
    void turns(() => {
      turn.resolve();
      return closed.promise;
    });
    await turn.promise;
    if (!isClosed) await onTurn?.();
    if (isClosed) return;
    watch = watchRate(() => size, limits.minBytesPerSecond, onError);
    kept.open();
  };
  return {
    add: (chunk) => {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      kept.add(chunk);
      if (isBig || size <= limits.big) return undefined;
      isBig = true;
      const waiting = waitForTurn();
      waiting.catch(onError);
      return waiting;
    },
    bytes: kept.bytes,
    close: () => {
      isClosed = true;
      clearInterval(watch);
      closed.resolve();
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
      if (size + chunk.length > largest) throw tooLarge(largest);
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

/** Compares the size of a body with its size a second ago, until the timer is cleared. */
function watchRate(sizeNow: () => number, least: number, onSlow: (error: Error) => void): NodeJS.Timeout {
  const problem = `a response of more than ${SIZE_LIMITS.big / MB} MB arrived at less than ${least / MB} MB/s`;
  let before = sizeNow();
  return setInterval(() => {
    if (sizeNow() - before < least) onSlow(new ResponseError('timeout', problem));
    before = sizeNow();
  }, 1_000).unref();
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
