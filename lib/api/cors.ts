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
 * Returns the CORS headers of the gateway's own errors. A gateway response cannot choose from several origins. It cannot reflect the
 * request's either: it matches header names by case, and browsers send `origin` over HTTP/2. So it allows any origin, which is safe:
 * these errors hold only fixed text, and browsers send no credentials.
 */
export function errorCorsHeaders(origins: readonly string[]): Record<string, string> {
  const [origin, ...others] = origins;
  if (!origin) return {};
  return {
    'Access-Control-Allow-Origin': others.length === 0 ? `'${origin}'` : "'*'",
    'Access-Control-Expose-Headers': `'${corsExposedHeaders.join(',')}'`,
  };
}
