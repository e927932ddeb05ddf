import { pathOf } from './ask.ts';
import type { View } from './view.ts';

/**
 * A line for each chain that asks for the same in a shell. The key stays in a variable there.
 * @param root where the API is: the URL that its paths are relative to
 */
export const curlLines = (root: string, view: View): string[] =>
  view.chains.map(
    (chain) => `curl -s '${new URL(pathOf(chain, view), root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
  );
