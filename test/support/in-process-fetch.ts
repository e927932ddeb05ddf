import { type Answer, bodyOf, type Call } from './json-rpc-server.ts';

/**
 * A `fetch` that serves what a JSON-RPC server would answer, in process and without sockets. It fails as the real one
 * does, and ends when the signal aborts.
 * @param answerFor who answers at a URL; a host that nobody answers for is not found
 */
export function fetchFrom(
  answerFor: (url: URL) => ((call: Call) => Answer | Promise<Answer>) | undefined,
): typeof fetch {
  return async (input, { body, signal } = {}) => {
    signal?.throwIfAborted();
    const answer = answerFor(new URL(input instanceof Request ? input.url : input));
    if (!answer) throw fetchError('fetch failed', 'ENOTFOUND');
    if (typeof body !== 'string') throw new Error('only bodies of text are understood here');
    const call: Call = JSON.parse(body);
    const told = Promise.resolve(answer(call)).then((answer) => responseTo(call, answer));
    return signal ? untilAborted(told, signal) : told;
  };
}

function responseTo(call: Call, told: Answer): Response | Promise<Response> {
  if ('hang' in told) return new Promise(() => {});
  if ('hangUp' in told) throw fetchError('fetch failed', 'ECONNRESET');
  if ('cutOff' in told) return new Response(brokenAfter(told.cutOff));
  if ('status' in told) return new Response(told.body, { status: told.status, headers: told.headers ?? {} });
  return new Response(bodyOf(call, told), { headers: { 'content-type': 'application/json' } });
}

const brokenAfter = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(fetchError('terminated', 'UND_ERR_SOCKET')),
  });

/** The reason is in the cause, as that of fetch is. */
const fetchError = (message: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(`the connection failed: ${code}`), { code }) });

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
