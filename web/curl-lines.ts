import { apiPath } from './api-client.ts';
import type { View } from './view.ts';

/**
 * Returns one curl command per chain of a view. The key stays in a shell variable.
 * @param root the URL that the API's paths are relative to
 */
export const curlLines = (root: string, view: View): string[] =>
  view.chains.map(
    (chain) => `curl -s '${new URL(apiPath(chain, view), root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
  );
