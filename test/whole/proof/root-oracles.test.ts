import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import type { RpcBlock, RpcReceipt } from '#core/proof/json/rpc-types.ts';
import { proveReceipts } from '#core/proof/receipts.ts';
import {
  address,
  data,
  hash,
  hex,
  quantity,
} from '#test/support/generators/blocks/arbitrary-transactions.ts';

/* Ethereumjs must agree with our roots and header hashes on random data. */

// Shrinking a failure of long data takes minutes; the seed repeats it.
fc.configureGlobal({ endOnFailure: true });

async function oracleRoot(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value);
  return toHex(trie.root());
}

test('the root of a list is that of ethereumjs, at every length up to 300', async () => {
  const values = Array.from({ length: 300 }, (_, index) =>
    Buffer.from(`value ${index}`.repeat(1 + (index % 9))),
  );
  const trie = await createMPT();
  expect(toHex(trieRoot([]))).toBe(toHex(trie.root()));
  for (const [index, value] of values.entries()) {
    await trie.put(RLP.encode(index), value);
    expect(toHex(trieRoot(values.slice(0, index + 1)))).toBe(toHex(trie.root()));
  }
});

const log = fc.record({ address, topics: fc.array(hash, { maxLength: 4 }), data });
const receipt = fc.record({
  type: fc.constantFrom(0, 1, 2, 3, 4),
  outcome: fc.oneof(fc.record({ status: fc.constantFrom('0x0', '0x1') }), fc.record({ root: hash })),
  gasUsed: fc.bigInt(0n, 2n ** 40n),
  logsBloom: hex(256),
  logs: fc.array(log, { maxLength: 4 }),
});
const deposit = fc.record({ depositNonce: quantity(64), isCanyon: fc.boolean() });

const bytesOf = (value: string): Uint8Array => Buffer.from(value.slice(2), 'hex');
const typed = (type: number, items: Parameters<typeof RLP.encode>[0]): Uint8Array =>
  Buffer.concat([type > 0 ? Uint8Array.of(type) : new Uint8Array(), RLP.encode(items)]);

const OP_DEPOSIT = 0x7e;
const HASH = `0x${'00'.repeat(32)}`;

test('receipts hash to the root of ethereumjs, and use the difference of their cumulative gas', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(receipt, { maxLength: 6 }),
      deposit,
      async (random, { depositNonce, isCanyon }) => {
        let cumulative = 0n;
        const rows = random.map((row, index) => {
          cumulative += row.gasUsed;
          const isDeposit = index === 0;
          const type = isDeposit ? OP_DEPOSIT : row.type;
          const { status, root } = { status: undefined, root: undefined, ...row.outcome };
          const rpc: RpcReceipt = {
            transactionHash: HASH,
            type: `0x${type.toString(16)}`,
            ...row.outcome,
            cumulativeGasUsed: `0x${cumulative.toString(16)}`,
            logsBloom: row.logsBloom,
            logs: row.logs,
            ...(isDeposit && { depositNonce, ...(isCanyon && { depositReceiptVersion: '0x1' }) }),
          };
          const logs = row.logs.map((entry) => [
            bytesOf(entry.address),
            entry.topics.map(bytesOf),
            bytesOf(entry.data),
          ]);
          const consensus = [
            root ? bytesOf(root) : BigInt(status ?? 0),
            cumulative,
            bytesOf(row.logsBloom),
            logs,
          ];
          return {
            rpc,
            type,
            payload: typed(
              type,
              isDeposit && isCanyon ? [...consensus, BigInt(depositNonce), 1n] : consensus,
            ),
          };
        });
        const receiptsRoot = await oracleRoot(rows.map(({ payload }) => payload));
        const block = { receiptsRoot, gasUsed: `0x${cumulative.toString(16)}`, timestamp: '0x0' } as RpcBlock;
        const hashed = rows.map(({ type }) => ({ hash: HASH, type, payload: new Uint8Array() }));
        const outcomes = proveReceipts(
          chainOf('OPTIMISM').rules,
          block,
          hashed,
          rows.map(({ rpc }) => rpc),
          [],
        );
        expect(outcomes).toEqual(
          random.map(({ gasUsed, outcome }) => ({
            gasUsed,
            isFailed: 'root' in outcome ? undefined : BigInt(outcome.status) === 0n,
          })),
        );
      },
    ),
  );
});
