import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { proveGas } from '#core/proof/receipts.ts';

const gasOf = (...cumulative: readonly string[]) =>
  proveGas(
    { gasUsed: cumulative.at(-1) ?? '0x0' },
    cumulative.map((cumulativeGasUsed) => ({ cumulativeGasUsed })),
  );

test('derives the gas of each transaction from the cumulative gas', () => {
  expect(gasOf('0x5208', '0x5208', '0xa410')).toEqual([21_000n, 0n, 21_000n]);
});

test('refuses cumulative gas that falls, as in a forged block with negative fees', () => {
  expect(() => gasOf('0xffffff', '0x5208')).toThrow(ProofError);
});
