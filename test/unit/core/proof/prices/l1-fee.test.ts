import { readFileSync } from 'node:fs';
import { chainOf } from '#core/chains/chains.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { readL1Attributes } from '#core/proof/prices/l1-attributes.ts';
import { l1FeeOf, operatorFee } from '#core/proof/prices/l1-fee.ts';
import { baseGoerli, opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';

interface RealFee {
  readonly formula: string;
  readonly chain: 'BASE_GOERLI' | 'OPTIMISM' | 'BASE';
  readonly timestamp: number;
  readonly attributes: string;
  readonly payload: string;
  readonly l1Fee: string;
}

const real: RealFee[] = JSON.parse(readFileSync('test/fixtures/l1-fees.json', 'utf8'));

const deposit = (input: string) => ({
  type: 0x7e,
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  input,
});

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));

const rulesOf = (chain: RealFee['chain']) =>
  opStackRulesOf(chain === 'BASE_GOERLI' ? baseGoerli : chainOf(chain));

const feeOf = ({ chain, timestamp, attributes, payload }: RealFee): bigint =>
  l1FeeOf(rulesOf(chain), timestamp, readL1Attributes(deposit(attributes)).l1Fee)(bytesOf(payload));

test.each(real)('derives the L1 fee of a real transaction of $chain: $formula', (given) => {
  expect(String(feeOf(given))).toBe(given.l1Fee);
});

const formula = (name: string): RealFee => {
  const found = real.find((given) => given.formula === name);
  if (!found) throw new Error(`no real fee of ${name}`);
  return found;
};

test('takes the formula of Bedrock in the first block of Ecotone, whose attributes are still those of Bedrock', () => {
  const bedrock = formula('Bedrock');
  const { ecotoneTime } = rulesOf('OPTIMISM');
  expect(String(feeOf({ ...bedrock, timestamp: ecotoneTime }))).toBe(bedrock.l1Fee);
});

test('accepts attributes of Ecotone from its time on, and refuses them earlier', () => {
  const { ecotoneTime } = rulesOf('OPTIMISM');
  expect(String(feeOf({ ...formula('Ecotone'), timestamp: ecotoneTime }))).toBe(formula('Ecotone').l1Fee);
  expect(() => feeOf({ ...formula('Ecotone'), timestamp: ecotoneTime - 1 })).toThrow(ProofError);
});

test('charges for the size before compression until Fjord, and by FastLZ from then on', () => {
  const { fjordTime } = rulesOf('OPTIMISM');
  const ecotone = formula('Ecotone');
  const zeros = { ...ecotone, payload: `0x${'00'.repeat(4_000)}` };
  const before = feeOf({ ...zeros, timestamp: fjordTime - 1 });
  const after = feeOf({ ...zeros, timestamp: fjordTime });
  // 4,000 zeros are 16,000 of calldata gas, or 1,000 bytes of 16; compressed they are of the least size, 100 bytes.
  expect(before / after).toBe(10n);
});

describe('the operator fee', () => {
  const rules = rulesOf('OPTIMISM');
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
});
