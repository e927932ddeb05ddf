import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import { type RandomAccess, UnreadableError } from './random-access.ts';
import { type EraSource, eraFilesAmong } from './source.ts';

/** Tries of a request, with a growing pause in between. */
const TRIES = 4;
const PAUSE_MS = 500;
const TIMEOUT_MS = 60_000;
/** An index page of 10,000 files has about 2 MB, and parts of files are requested in 4 MiB or the size of an entry. */
const LONGEST_RESPONSE = 160_000_000;
/** Bounded, since a page may consist of nothing else than such characters. */
const NAMES = /[\w-]{1,64}\.(?:era1|ere)(?![\w.])/g;

const dispatcher = new Agent({
  ...{ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, maxResponseSize: LONGEST_RESPONSE },
}).compose(interceptors.redirect({ maxRedirections: 3 }));

/**
 * Opens a mirror: a web server with an index page that names the files, such as a list of links or checksums.
 * @param url of the index page; files are below its folder
 */
export function openHttpSource(url: string): EraSource {
  const page = new URL(url);
  return {
    host: page.host,
    list: async () => {
      const { body } = await get(page, {});
      return eraFilesAmong(body.toString().match(NAMES) ?? []);
    },
    open: async ({ name }) => openHttpFile(new URL(name, page)),
  };
}

async function openHttpFile(url: URL): Promise<RandomAccess> {
  const { headers } = await get(url, { range: 'bytes=0-7' });
  const [, size] = /\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
  if (size === undefined) throw new UnreadableError(`${url.host} does not serve parts of files`);
  return {
    size: Number(size),
    read: async (from, to) => {
      const { body } = await get(url, { range: `bytes=${from}-${to - 1}` });
      if (body.length === to - from) return body;
      throw new UnreadableError(`${url.host} sent ${body.length} bytes instead of ${to - from}`);
    },
    close: async () => {},
  };
}

interface Answer {
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

/** @throws UnreadableError after all tries, or at once when the server refuses the request */
async function get(url: URL, headers: { readonly range?: string }): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await getOnce(url, headers);
    if (!(answer instanceof UnreadableError)) return answer;
    const isRefused = answer.status !== undefined && answer.status < 500 && answer.status !== 429;
    if (attempt === TRIES || isRefused) throw answer;
    await sleep(PAUSE_MS * 2 ** attempt);
  }
}

async function getOnce(url: URL, headers: { readonly range?: string }): Promise<Answer | UnreadableError> {
  try {
    const response = await request(url, { dispatcher, headers });
    const body = Buffer.from(await response.body.arrayBuffer());
    const expected = headers.range === undefined ? 200 : 206;
    if (response.statusCode === expected) return { headers: response.headers, body };
    return new UnreadableError(
      `${url.host} answered ${response.statusCode} for ${url.pathname}`,
      response.statusCode,
    );
  } catch (error) {
    return new UnreadableError(`${url.host}: ${error instanceof Error ? error.message : error}`);
  }
}
