import { chainOf } from '#core/chains/chains.ts';
import { operatorFee } from '#core/proof/prices/operator-fee.ts';
import { opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';

const rules = opStackRulesOf(chainOf('OPTIMISM'));
const parameters = { operatorFeeScalar: 1_234n, operatorFeeConstant: 10n };
const at = (timestamp: number) => operatorFee(rules, timestamp, 21_999n, parameters);

test('is 0 before Isthmus', () => {
  expect(at(rules.isthmusTime - 1)).toBe(0n);
});

test('rounds the scaled gas down from Isthmus until Jovian', () => {
  expect([at(rules.isthmusTime), at(rules.jovianTime - 1)]).toEqual([37n, 37n]);
});

test('multiplies gas and scalar by 100 since Jovian', () => {
  expect(at(rules.jovianTime)).toBe(21_999n * 1_234n * 100n + 10n);
});
