import { type ChainName, chainNames } from '../core/chains/chains.ts';
import { environment } from './environment.ts';

/** Returns the chains that the stage reads; all where none are set, as in tests of a single function. */
export function offeredChains(): readonly ChainName[] {
  const named = process.env[environment.offeredChains]?.split(',') ?? [];
  const known = chainNames.filter((name) => named.includes(name));
  return known.length > 0 ? known : chainNames;
}
