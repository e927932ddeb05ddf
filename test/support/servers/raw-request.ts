import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sends a request with any headers, also with those that fetch does not let a caller choose, and returns the status and body. */
export function rawRequest(
  url: string,
  { method = 'POST', headers = {}, body = '' }: RawRequest = {},
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
