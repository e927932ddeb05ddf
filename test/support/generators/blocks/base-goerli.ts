import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { OpStackRules } from '#core/chains/rule-types.ts';

const base = chainOf('BASE');

/** Base's first testnet, the only chain here with blocks from before Regolith. */
export const baseGoerli: Chain & { readonly rules: OpStackRules } = {
  ...base,
  name: 'BASE_GOERLI',
  rules: { ...opStackRulesOf(base), regolithTime: 1_683_219_600 },
};

export function opStackRulesOf({ name, rules }: Chain): OpStackRules {
  if (rules.family === 'op-stack') return rules;
  throw new Error(`${name} is not of the OP stack.`);
}
