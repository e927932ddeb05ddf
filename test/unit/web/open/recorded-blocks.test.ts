import { chainOf } from '#core/chains/chains.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import { dayOf } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { Proof } from '#core/proof/proven-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { readPortalBlock } from '#test/support/generators/blocks/portal-blocks.ts';
import { recordedBlocks } from '#web/open/recorded-blocks.ts';

/* The chart that a visitor without a key sees where no days are open: its figures follow from the bytes of real blocks, in test/fixtures. */

const ETHEREUM = chainOf('ETHEREUM');
const PORTAL = 'ethereum/portal-spec-tests';

const recorded = completeBlocks
  .filter(([name]) => name.startsWith('ETHEREUM-'))
  .map(([name, folder]) => readFullBlock(folder, name));

function proofOf({ number, source }: (typeof recordedBlocks)[number]): Proof {
  if (source === PORTAL) return proveRawBlock(ETHEREUM, readPortalBlock(number));
  const of = recorded.find((one) => one.number === number);
  if (!of) throw new Error(`No fixture holds block ${number}.`);
  expect(of.source).toMatch(new RegExp(`^${source} : `));
  return proveBlock(ETHEREUM, decodeBlock(of.block), decodeReceipts(of.receipts));
}

test.each(recordedBlocks)('states what block $number proves, with its source', (block) => {
  const proof = proofOf(block);
  if ('refused' in proof) throw proof.refused;
  const { totals } = proof.sums;
  expect(block).toMatchObject({
    number: proof.proven.number,
    date: dayOf(proof.proven.timestamp),
    transactions: totals.transactions,
    fees: coinAmount(totalFees(totals.fees)),
  });
});

test('has one block of each real one with all receipts, in their order', () => {
  const numbers = recordedBlocks.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { number } of recorded) expect(numbers).toContain(number);
});
