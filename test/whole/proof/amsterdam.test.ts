import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainOf } from '#core/chains/chains.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { Proof } from '#core/proof/proven-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { splitBlock } from '#core/proof/raw/raw-body.ts';
import { rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import { readOtherJson } from '#test/support/generators/chains/real-nodes.ts';
import { filesInMemory, readFiles } from '#test/support/generators/files/read-files.ts';

/*
 * Blocks that geth 1.17.10, ethrex 24.0.0 and hardhat's EDR built across the fork Amsterdam on private networks, with totals that other code
 * added up from the receipts. Since that fork, the gas of the header is not the sum of the receipts' gas.
 */

const FOLDER = 'test/fixtures/real-nodes/amsterdam';
const ETHEREUM = chainOf('ETHEREUM');

interface Recorded {
  readonly number: number;
  readonly totals: Readonly<Record<string, string | number>>;
  readonly block: Json;
  readonly receipts: readonly Json[];
  readonly raw?: { readonly block: string; readonly receipts: readonly string[] };
}

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** Returns the figures of a proven block under the names of the recorded totals. */
function figuresIn(proof: Proof): Record<string, string | number> {
  if ('refused' in proof) throw new Error(`${proof.refused.field}: ${proof.refused.message}`);
  const { transactions, fees, measures } = proof.sums.totals;
  const { gasUsed = 0n, failedTransactions = 0n, priorityFees = 0n, blobs = 0n } = measures;
  return {
    transaction_count: transactions,
    failed_transaction_count: Number(failedTransactions),
    fees: `${totalFees(fees)}`,
    execution_fees: `${fees.execution}`,
    blob_fees: `${fees.blob}`,
    base_fees: `${fees.execution - priorityFees}`,
    priority_fees: `${priorityFees}`,
    gas_used: `${gasUsed}`,
    blob_count: Number(blobs),
  };
}

const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));

test.each(names)('%s is proven as JSON and as RLP, with the recorded totals', (name) => {
  const { totals, block, receipts, raw } = readOtherJson<Recorded>(`amsterdam/${name}`);
  const { header_gas_used, ...expected } = totals;
  expect(BigInt(String(block.gasUsed))).toBe(BigInt(header_gas_used ?? 0));
  const proof = proveBlock(ETHEREUM, decodeBlock(block), decodeReceipts(receipts));
  expect(figuresIn(proof)).toEqual(expected);
  // Hardhat gives no RLP, but its roots cover all of it.
  const { block: rawBlock, receipts: rawReceipts } = raw ?? rawAnswersOf(ETHEREUM, block, receipts);
  const rawProof = proveRawBlock(ETHEREUM, {
    ...splitBlock(bytes(rawBlock)),
    receipts: rawReceipts.map(bytes),
  });
  expect(figuresIn(rawProof)).toEqual(expected);
});

test('the ere file of geth is proven across the fork, with the totals of its recorded blocks', async () => {
  const [file = ''] = readdirSync(FOLDER).filter((name) => name.endsWith('.ere'));
  const content = readFileSync(join(FOLDER, file));
  const { days, end } = await readFiles(filesInMemory(new Map([[file, content]])));
  expect(end).toMatchObject({ kind: 'end reached' });
  const days22 = days.filter(({ day }) => day === '2026-11-22');
  expect(days22).toMatchObject([{ totals: { blocks: 13, transactions: 94 } }]);
  expect(days22.map(({ totals }) => [totals.fees.execution, totals.fees.blob])).toEqual([
    [25_280_106_576_668_533n, 7_558_936_002_560n],
  ]);
});
