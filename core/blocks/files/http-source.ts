import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import {
  AddressError,
  connectPrivate,
  connectPublic,
  isPrivateHost,
  withoutBrackets,
} from './private-addresses.ts';
import { type EraSource, eraFilesAmong, UnreadableError, unreadableBecause } from './source.ts';

/** Pauses between the tries of a request. */
const PAUSES_MS = [1_000, 2_000, 4_000];
const TIMEOUT_MS = 60_000;
/** Bytes. An index page of 10,000 files has about 2 MB, and parts of files have 4 MiB at most. */
const MAX_RESPONSE = 16_000_000;
const NO_PARTS = 'does not serve parts of files (HTTP Range), which reading era files takes';
/** Bounded, because a page may consist of such characters alone. */
const NAMES = /[\w-]{1,64}\.(?:era1|ere|erae)(?![\w.])/g;

/** For the index page with all its redirects, tries and pauses: a server may send a byte now and then. */
const LIST_TIMEOUT_MS = 180_000;

const LIMITS = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, maxResponseSize: MAX_RESPONSE };
const MAX_REDIRECTS = 3;
const privateDispatcher = new Agent({ ...LIMITS, connect: connectPrivate });
const publicDispatcher = new Agent({ ...LIMITS, connect: connectPublic });

/**
 * Creates the source of a mirror: a web server with an index page that names the files, such as a list of links or checksums.
 * @param url of the index page, such as `…/checksums.txt`, or of its folder; files are in that folder
 * @param isOwnHost returns whether a host is of a private network, and so may redirect there. A mirror elsewhere may not
 */
export function createHttpSource(url: string, isOwnHost = isPrivateHost): EraSource {
  const page = new URL(url);
  // Without the slash, the names of files would be resolved beside the folder.
  if (/\/[^/.]+$/.test(page.pathname)) page.pathname += '/';
  return {
    host: page.host,
    list: async (signal) => {
      const deadline = AbortSignal.timeout(LIST_TIMEOUT_MS);
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const { body } = await get({ url: page, isOwnHost }, either);
      return eraFilesAmong(body.toString().match(NAMES) ?? []);
    },
    open: ({ name }, signal) => openHttpFile({ url: new URL(name, page), isOwnHost }, signal),
  };
}

type Target = { readonly url: URL; readonly isOwnHost: (host: string) => Promise<boolean> };

async function openHttpFile(target: Target, signal: AbortSignal | undefined) {
  const { host } = target.url;
  const { headers } = await get(target, signal, 'bytes=0-7');
  const [, digits] = /\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
  const size = Number(digits);
  if (!Number.isSafeInteger(size)) throw new UnreadableError(`${host} ${NO_PARTS}`);
  return {
    size,
    read: async (from: number, to: number) => {
      const { body } = await get(target, signal, `bytes=${from}-${to - 1}`);
      if (body.length === to - from) return body;
      throw new UnreadableError(`${host} sent ${body.length} bytes instead of ${to - from}`);
    },
  };
}

/** @throws UnreadableError after all tries, or at once when the server refuses the request or `signal` aborts */
async function get(target: Target, signal: AbortSignal | undefined, range?: string) {
  let answer = await getOnce(target, signal, range);
  for (const pause of PAUSES_MS) {
    if (!answer.error || answer.isRefused) break;
    // The signal ends the pause early.
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal?.aborted) break;
    answer = await getOnce(target, signal, range);
  }
  if (answer.error) throw answer.error;
  return answer;
}

/** Requests a URL and follows redirects: from one private network to another, or to public addresses. */
async function requestFrom(
  { url, isOwnHost }: Target,
  options: { signal?: AbortSignal; headers: Record<string, string> },
) {
  let [target, isOwn] = [url, true];
  for (let redirects = 0; ; redirects++) {
    // A host elsewhere may not lead back, whatever led to it.
    isOwn &&= await isOwnHost(withoutBrackets(target.hostname));
    const response = await request(target, {
      ...options,
      dispatcher: isOwn ? privateDispatcher : publicDispatcher,
    });
    const [location] = [response.headers.location].flat();
    const isRedirect = response.statusCode >= 300 && response.statusCode < 400 && location !== undefined;
    if (!isRedirect || redirects === MAX_REDIRECTS) return response;
    await response.body.dump();
    target = new URL(location, target);
  }
}

async function getOnce(target: Target, signal: AbortSignal | undefined, range?: string) {
  const { url } = target;
  try {
    const response = await requestFrom(target, {
      ...(signal && { signal }),
      // Content delivery networks refuse requests that do not name a client.
      headers: { 'user-agent': 'chain-insights', ...(range !== undefined && { range }) },
    });
    const { statusCode: status, headers, body } = response;
    if (status === (range === undefined ? 200 : 206))
      return { headers, body: Buffer.from(await body.arrayBuffer()) };
    await body.dump();
    const problem = status === 200 ? NO_PARTS : `answered ${status} for ${url.pathname}`;
    const error = new UnreadableError(`${url.host} ${problem}`);
    return { error, isRefused: status < 500 && status !== 429 };
  } catch (error) {
    const isRefused = error instanceof AddressError;
    return { error: unreadableBecause(url.host, error, signal), isRefused };
  }
}
