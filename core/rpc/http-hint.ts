import { type Endpoint, quote } from './endpoint.ts';
import type { HttpResponse } from './http/http-request.ts';

/**
 * Returns the likely cause of an unusable HTTP response and what to do, to be appended to the problem; empty if nothing shows a cause. Of a
 * redirect it names only the host, because the rest of a URL may be secret.
 */
export function httpHint(endpoint: Endpoint, { status, header }: HttpResponse): string {
  const encoding = header('content-encoding') ?? 'identity';
  if (!/^(identity|(x-)?gzip)$/i.test(encoding)) {
    return `: it is encoded as ${quote(endpoint, encoding)}, although only gzip was accepted. Turn that off at the proxy before the node, or use another endpoint`;
  }
  const location = status >= 300 && status < 400 ? header('location') : undefined;
  const target = location === undefined ? null : URL.parse(location, endpoint.url);
  if (target) {
    return `: it redirects to ${quote(endpoint, `${target.protocol}//${target.host}`)}. Name the URL that answers itself, since redirects are not followed`;
  }
  return '';
}
