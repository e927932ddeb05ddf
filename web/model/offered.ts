import { type ChainName, chainNames, defaultChainNames } from '../../core/chains/chains.ts';

/** Returns what the service writes into its pages; empty where it writes nothing. */
export const metaText = (name: string): string =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

const named = metaText('chains').split(',');
const known = chainNames.filter((name) => named.includes(name));

/** Text of the banner of a service with development chains, whose figures are invented; empty for any other. */
export const sampleNote = globalThis.document?.querySelector('.banner')?.textContent ?? '';

const invented = chainNames.filter((name) => sampleNote.split(/[ ,.]+/).includes(name));

/** Returns whether figures of a chain are invented. The banner names those. */
export const isInvented = (chain: ChainName): boolean => invented.includes(chain);

export const shownChains: readonly ChainName[] = known.length > 0 ? known : defaultChainNames;
