import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { proveGas } from '#core/proof/receipts.ts';

const gasOf = (cumulative: readonly string[], header: Partial<Parameters<typeof proveGas>[0]> = {}) =>
  proveGas(
    { gasUsed: cumulative.at(-1) ?? '0x0', ...header },
    cumulative.map(() => ({ gas: 0x5208n })),
    cumulative.map((cumulativeGasUsed) => ({ cumulativeGasUsed })),
  );

test('refuses cumulative gas that falls, as in a forged block with negative fees', () => {
  expect(() => gasOf(['0xffffff', '0x5208'])).toThrow(ProofError);
});

test('before Amsterdam, another gas in the header than the last cumulative gas is a change of rules', () => {
  expect(() => gasOf(['0x5208'], { gasUsed: '0x5209' })).toThrow(
    expect.objectContaining({ field: 'gasUsed', isRuleChange: true }),
  );
});

describe('since Amsterdam', () => {
  const blockAccessListHash = `0x${'1d'.repeat(32)}`;

  test.each(['0x1', '0x5208', '0xffffff'])(
    'the header may state %s gas for receipts of 42,000',
    (gasUsed) => {
      expect(gasOf(['0x5208', '0xa410'], { gasUsed, blockAccessListHash })).toEqual([21_000n, 21_000n]);
    },
  );

  test('more gas than the limit of its transaction is a change of rules', () => {
    expect(() => gasOf(['0x5208', '0xa411'], { blockAccessListHash })).toThrow(
      expect.objectContaining({ field: 'receipts[1].cumulativeGasUsed', isRuleChange: true }),
    );
  });
});
