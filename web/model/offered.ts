import { type ChainName, chainNames, defaultChainNames } from '../../core/chains/chains.ts';

/** Returns what the service writes into its pages; empty where it writes nothing. */
export const metaText = (name: string): string =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

const named = metaText('chains').split(',');
const known = chainNames.filter((name) => named.includes(name));

/** Text of the banner of a service of development chains, whose figures are invented; empty for any other. */
export const sampleNote = globalThis.document?.querySelector('.banner')?.textContent ?? '';

export const shownChains: readonly ChainName[] = known.length > 0 ? known : defaultChainNames;
