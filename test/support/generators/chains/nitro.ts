import { type Chain, chainOf } from '#core/chains/chains.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';

/* Arbitrum as if Nitro began with genesis, so that block numbers are small. */

const arbitrum = chainOf('ARBITRUM');
if (arbitrum.rules.family !== 'arbitrum') throw new Error('not Arbitrum');
export const nitroRules = { ...arbitrum.rules, nitroBlock: 0 };
export const nitro: Chain = { ...arbitrum, rules: nitroRules };

/** Returns the members of a header by which a version of ArbOS is known. */
export const ofArbos = (version: number) => ({
  difficulty: '0x1',
  baseFeePerGas: '0x989680',
  extraData: hashOf('send root'),
  mixHash: `0x${'0'.repeat(32)}${version.toString(16).padStart(16, '0')}${'0'.repeat(16)}`,
});

const word = (value: number) => value.toString(16).padStart(64, '0');
/** Results of ArbGasInfo, ABI-encoded arrays, when no constraint or one prices gas. */
export const NO_CONSTRAINTS = `0x${word(32)}${word(0)}`;
export const ONE_CONSTRAINT = `0x${word(32)}${word(1)}${word(7)}`;
