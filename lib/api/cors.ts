import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import { corsAllowedHeaders, corsExposedHeaders } from '../../lambda/api/cors.ts';

/** Answers preflight requests, which need no key because browsers send none with them. */
export function addPreflight(
  resource: IResource,
  methods: readonly string[],
  origins: readonly string[],
): void {
  if (origins.length === 0) return;
  resource.addCorsPreflight({
    allowOrigins: [...origins],
    allowMethods: [...methods],
    allowHeaders: [...corsAllowedHeaders],
    maxAge: Duration.hours(2),
  });
}

/**
 * Returns the CORS headers of the gateway's own errors. A gateway response cannot choose from several origins, so it reflects the
 * request's. That is safe: no page can send a key without a preflight, and these errors hold only fixed text.
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
