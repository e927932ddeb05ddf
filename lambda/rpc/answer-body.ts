const MB = 2 ** 20;

/** The largest answer that is read, in bytes after decompression: public endpoints send up to this much. */
const LARGEST = 160 * MB;

/** An answer of more bytes than this is big. The receipts of an ordinary block have 0.1 to 3 MB: they never wait. */
const BIG = 4 * MB;

/** An answer that was not read, or not to its end, because it is too large. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';

  /** @param largest bytes */
  constructor(largest: number) {
    super(`the answer is larger than ${largest / MB} MB`);
  }
}

/**
 * Reads the body of a response as UTF-8 and gives its text to `use`. Of the big ones only one is in memory at a time:
 * the others are not read on until it is used up, and take turns in the order in which they turned out to be big.
 * @param response of a fetch whose signal ends in time: it is what ends a body that stalls, during its turn or before
 * @param use parses and decodes; synchronous, for the next big one is let in when it returns. What it returns should
 *   not hold on to the text
 * @param limits in bytes after decompression; only tests need others
 * @throws AnswerTooLargeError, what `use` throws, or what `response.text()` would: the signal's reason or the error
 *   of the network. The connection is closed then.
 */
export async function withBody<T>(
  response: Response,
  use: (text: string) => T,
  { largest = LARGEST, big = BIG } = {},
): Promise<T> {
  if (response.body === null) return use('');
  const reader = response.body.getReader();
  let endTurn = () => {};
  try {
    const declared = Number(response.headers.get('content-length'));
    if (declared > largest) throw new AnswerTooLargeError(largest);

    let size = 0;
    const read = async () => {
      const { value } = await reader.read();
      size += value?.byteLength ?? 0;
      if (size > largest) throw new AnswerTooLargeError(largest);
      return value;
    };

    const start: Uint8Array[] = [];
    // One that says that it is big waits before it takes any memory.
    while (declared <= big && size <= big) {
      const chunk = await read();
      if (chunk === undefined) return use(Buffer.concat(start).toString());
      start.push(chunk);
    }

    const turn = nextTurn();
    endTurn = turn.end;
    // Nobody reads meanwhile, so that only `closed` tells of an abort.
    await Promise.race([turn.begun, reader.closed.then(() => turn.begun)]);
    return use(await readBig(start, read, largest));
  } finally {
    endTurn();
    // Closes the connection if anything is left of the body. What is broken already needs no closing.
    reader.cancel().catch(() => {});
  }
}

/** The text of a body from its start, which is emptied, and what `read` gives until that is undefined. */
async function readBig(
  start: Uint8Array[],
  read: () => Promise<Uint8Array | undefined>,
  largest: number,
): Promise<string> {
  // Joining a list of chunks would take the memory twice. What is never written to takes none.
  const memory = new ArrayBuffer(largest);
  try {
    const bytes = Buffer.from(memory);
    let end = 0;
    const add = (chunk: Uint8Array) => {
      bytes.set(chunk, end);
      end += chunk.byteLength;
    };
    for (const chunk of start.splice(0)) add(chunk);
    for (let chunk = await read(); chunk !== undefined; chunk = await read()) add(chunk);
    return bytes.toString('utf8', 0, end);
  } finally {
    // Frees it at once: left to the collector it may still be there while the text is parsed, and that takes more.
    memory.transfer(0);
  }
}

let lastTurn = Promise.resolve();

/** Queues up. A turn that ends before it has begun, because of an abort, is passed over. */
function nextTurn(): { readonly begun: Promise<void>; readonly end: () => void } {
  const begun = lastTurn;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  lastTurn = begun.then(() => ended);
  return { begun, end };
}
