import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { type BodyOptions, createBody, type ResponseBody, ResponseError } from './response-body.ts';

/** Time limit of one request, until the end of the response. */
export const RPC_TIMEOUT_MS = 30_000;

/** Time limit from the turn of a big response on. Its rate is watched, and 256 MB take 128 s at the lowest rate. */
const BIG_RESPONSE_TIMEOUT_MS = 150_000;

export interface HttpRequest extends Pick<BodyOptions, 'elements' | 'limits'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; absent for a GET. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Called and awaited before a big body is read further. The function that it returns is called when the request has ended. */
  readonly onBig?: (() => Promise<() => Promise<void>> | undefined) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Returns a header by its lower-case name, with all its values if it is repeated. */
  readonly header: (name: string) => string | undefined;
  /** The decompressed body without a byte order mark. Its memory is reused later. */
  readonly body: Buffer;
}

/**
 * Sends an HTTP request and does not follow redirects. It shares the connection pool of `fetch` but not its streams,
 * which take longer than parsing (1.4 ms for a block of 560 KB; 0.6 ms here).
 * @param use converts the complete response; synchronous, and its result must not refer to the body
 * @throws the error of `use`, ResponseError, the signal's reason, or a network error; then it closes the connection,
 *   unless the response is complete
 */
export async function sendHttp<T>(request: HttpRequest, use: (response: HttpResponse) => T): Promise<T> {
  const { url, headers, body = null, signal, onBig, elements, limits } = request;
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  let marked: Promise<() => Promise<void>> | undefined;
  const onWait = () => {
    clearTimeout(timer);
    timer = startTimer(BIG_RESPONSE_TIMEOUT_MS, fail);
  };
  const onTurn = async () => {
    onWait();
    marked = onBig?.();
    await marked;
  };
  const { handler, used, fail, close } = receiver(use, { onTurn, onWait, limits, elements });
  let timer = startTimer(RPC_TIMEOUT_MS, fail);
  const stop = () => fail(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    const method = body === null ? 'GET' : 'POST';
    const sent = { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'chain-insights' };
    const options = { origin, path: pathname + search, method, headers: sent, body } as const;
    getGlobalDispatcher().dispatch(options, handler);
    return await used;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    const unmark = await marked;
    // Must end before the next big body begins.
    await unmark?.();
    close();
  }
}

/** Limits the time of a request. `AbortSignal.timeout` and `AbortSignal.any` would keep each in memory for the full time. */
function startTimer(ms: number, fail: (error: Error) => void): NodeJS.Timeout {
  const late = () => fail(new ResponseError('timeout', `no response within ${ms / 1_000} s`));
  return setTimeout(late, ms).unref();
}

function receiver<T>(use: (response: HttpResponse) => T, options: BodyOptions) {
  const used = Promise.withResolvers<T>();
  let request: Dispatcher.DispatchController | undefined;
  let failure: Error | undefined;
  let sink: Sink | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    used.reject(error);
    request?.abort(error);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      request = started;
      // The request was aborted before the connection was open.
      if (failure) started.abort(failure);
    },
    // An error thrown here or in the next handler ends the request.
    onResponseStart: (_, status, headers) => {
      const header = (name: string) => headers[name]?.toString();
      const { add, bytes, close } = createBody(Number(header('content-length')), fail, options);
      // At once, because the memory of a body is reused.
      const convert = async () => use({ status, header, body: withoutByteOrderMark(bytes()) });
      const plain = { add, end: () => used.resolve(convert()), close };
      sink = /^(x-)?gzip$/i.test(header('content-encoding') ?? '') ? gunzipped(plain, fail) : plain;
    },
    onResponseData: (started, chunk) => {
      const untilNext = sink?.add(chunk);
      if (!untilNext) return;
      started.pause();
      const resume = () => started.resume();
      untilNext.then(resume, () => {});
    },
    onResponseEnd: () => sink?.end(),
    onResponseError: (_, error) => used.reject(error),
  };
  return { handler, used: used.promise, fail, close: () => sink?.close() };
}

const withoutByteOrderMark = (body: Buffer): Buffer =>
  body.toString('utf8', 0, 3) === '\uFEFF' ? body.subarray(3) : body;

interface Sink extends Pick<ResponseBody, 'close'> {
  readonly add: (chunk: Buffer) => Promise<unknown> | undefined;
  readonly end: () => void;
}

/** Each chunk is a job for another thread: a block of 560 KB takes 0.8 ms with the default of 16 KB, 0.3 ms with this. */
const CHUNK = 256 * 1024;

/** Returns a sink that decompresses into another one. */
function gunzipped({ add, end, close }: Sink, fail: (error: Error) => void): Sink {
  // Z_SYNC_FLUSH accepts a truncated or empty body; the parser rejects it later.
  const gunzip = createGunzip({ chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(gunzip, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await add(chunk);
    end();
  }).catch(fail);
  return {
    add: (chunk) => (gunzip.write(chunk) ? undefined : once(gunzip, 'drain')),
    end: () => gunzip.end(),
    close: () => {
      gunzip.destroy();
      close();
    },
  };
}
