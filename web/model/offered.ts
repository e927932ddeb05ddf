import { type ChainName, chainNames, defaultChainNames } from '../../core/chains/chains.ts';

/** The chains that the stage reads, as the service writes them into its pages. */
const named = document.querySelector<HTMLMetaElement>('meta[name=chains]')?.content.split(',') ?? [];
const known = chainNames.filter((name) => named.includes(name));

/** The chains that the service offers. */
export const shownChains: readonly ChainName[] = known.length > 0 ? known : defaultChainNames;
