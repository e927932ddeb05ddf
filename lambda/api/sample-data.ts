import { environment } from '../environment.ts';

/* Development chains bear the names of real ones, so each response of the API about one says that its data is invented. */

/** Returns whether the data of a chain is invented. `npm start` names such chains in the environment, and no stage does. */
export const isSample = (chain: string): boolean =>
  (process.env[environment.sampleChains] ?? '').split(',').includes(chain);

export const sampleHeader = (chains: readonly string[]): { readonly 'X-Sample-Data'?: string } =>
  chains.some(isSample) ? { 'X-Sample-Data': 'true' } : {};
