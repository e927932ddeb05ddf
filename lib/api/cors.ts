import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import { corsAllowedHeaders, corsExposedHeaders } from '../../lambda/api/cors.ts';
import { methods } from '../../lambda/api/routes.ts';

/** Answers the question that a browser asks before a page may send a key. It carries none, so none is asked for. */
export function addPreflight(resource: IResource, origins: readonly string[]): void {
  if (origins.length === 0) return;
  resource.addCorsPreflight({
    allowOrigins: [...origins],
    allowMethods: [...methods],
    allowHeaders: [...corsAllowedHeaders],
    maxAge: Duration.hours(2),
  });
}

/**
 * The CORS headers of the gateway's own errors, as gateway responses write them. They cannot choose from several origins:
 * there the page's own is sent back, which is safe: without a preflight a page can send no key, and these errors hold no more than our own text.
 */
export function errorCorsHeaders(origins: readonly string[]): Record<string, string> {
  const [origin] = origins;
  if (!origin) return {};
  return {
    'Access-Control-Allow-Origin': origins.length === 1 ? `'${origin}'` : 'method.request.header.Origin',
    'Access-Control-Expose-Headers': `'${corsExposedHeaders.join(',')}'`,
    ...(origins.length > 1 && { Vary: "'Origin'" }),
  };
}
