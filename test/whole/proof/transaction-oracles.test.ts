import { RLP } from '@ethereumjs/rlp';
import { createTxFromRPC } from '@ethereumjs/tx';
import fc from 'fast-check';
import { type Hex, keccak256, serializeTransaction, type TransactionSerializable } from 'viem';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { proveTransactions } from '#core/proof/fields/transactions.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';
import {
  type ArbitraryTransaction,
  transactionOf,
} from '#test/support/generators/blocks/arbitrary-transactions.ts';
import {
  fullBlockFolders,
  fullBlockNames,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';

/* Independent encoders must agree with ours on random transactions of every type. */

// Shrinking a failure of long data takes minutes; the seed repeats it.
fc.configureGlobal({ endOnFailure: true });

/** Proves a block of one transaction under the hash and root of the payload that an oracle expects. */
function expectPayload(chain: ChainName, transaction: ArbitraryTransaction, expected: Uint8Array): void {
  const signed = { ...transaction, hash: keccak256(expected) };
  const [hashed] = proveTransactions(chainOf(chain), [signed], toHex(trieRoot([expected])));
  expect(hashed && toHex(hashed.payload)).toBe(toHex(expected));
}

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');

/** A quantity as ethereumjs encodes it, and viem takes it. */
const big = (value: string | null | undefined): bigint => BigInt(value ?? 0);

describe('viem', () => {
  const even = (value: string | null | undefined): Hex => `0x${big(value).toString(16).padStart(64, '0')}`;
  /** Viem takes chain IDs and nonces of authorizations as numbers. */
  const safe = (value: string): number => Number(big(value) % 2n ** 53n);
  const types = { 1: 'eip2930', 2: 'eip1559', 3: 'eip4844', 4: 'eip7702' } as const;

  /** Viem refuses a chain ID of 0, a tip above the maximum fee, and blobs of another version. */
  const acceptable = transactionOf([1, 2, 3, 4]).map((transaction): ArbitraryTransaction => {
    const fees = [big(transaction.maxFeePerGas), big(transaction.maxPriorityFeePerGas)];
    const [tip = 0n, maxFee = 0n] = fees.sort((a, b) => (a < b ? -1 : 1));
    const { blobVersionedHashes } = transaction;
    return {
      ...transaction,
      chainId: '0xa4b1',
      nonce: '0x1f',
      ...(transaction.maxFeePerGas && {
        maxFeePerGas: `0x${maxFee.toString(16)}`,
        maxPriorityFeePerGas: `0x${tip.toString(16)}`,
      }),
      ...(blobVersionedHashes && {
        blobVersionedHashes: [
          `0x01${'ab'.repeat(31)}`,
          ...blobVersionedHashes.map((hash) => `0x01${hash.slice(4)}`),
        ],
      }),
    };
  });

  function viemTransaction(transaction: ArbitraryTransaction): TransactionSerializable {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, authorizationList } = transaction;
    const serializable: Record<string, unknown> = {
      type: types[Number(transaction.type) as keyof typeof types],
      chainId: 0xa4b1,
      nonce: 0x1f,
      gas: big(transaction.gas),
      value: big(transaction.value),
      data: transaction.input,
      to: transaction.to ?? undefined,
      accessList: transaction.accessList,
      ...(gasPrice && { gasPrice: big(gasPrice) }),
      ...(maxFeePerGas && {
        maxFeePerGas: big(maxFeePerGas),
        maxPriorityFeePerGas: big(maxPriorityFeePerGas),
      }),
      ...(maxFeePerBlobGas && { maxFeePerBlobGas: big(maxFeePerBlobGas) }),
      blobVersionedHashes: transaction.blobVersionedHashes,
      authorizationList: authorizationList?.map(({ chainId, address, nonce, yParity, r, s }) => ({
        chainId: safe(chainId),
        address,
        nonce: safe(nonce),
        yParity: Number(yParity),
        r: even(r),
        s: even(s),
      })),
    };
    return serializable as TransactionSerializable;
  }

  test('encodes typed transactions alike', () => {
    fc.assert(
      fc.property(acceptable, (transaction) => {
        const serialized = serializeTransaction(viemTransaction(transaction), {
          r: even(transaction.r),
          s: even(transaction.s),
          yParity: Number(transaction.yParity),
        });
        const authorizationList = transaction.authorizationList?.map((authorization) => ({
          ...authorization,
          chainId: `0x${safe(authorization.chainId).toString(16)}`,
          nonce: `0x${safe(authorization.nonce).toString(16)}`,
        }));
        const ours = authorizationList ? { ...transaction, authorizationList } : transaction;
        expectPayload('ETHEREUM', ours, bytesOf(serialized));
      }),
    );
  });
});

describe('ethereumjs', () => {
  type Item = Uint8Array | bigint | Item[];
  const encode = (type: number, items: Item[]): Uint8Array =>
    type === 0 ? RLP.encode(items) : Buffer.concat([Uint8Array.of(type), RLP.encode(items)]);
  const b = (value: string | null | undefined): Uint8Array => bytesOf(value ?? '0x');
  /** https://github.com/0xPolygon/bor core/types/tx_state_sync.go: a list of [id, contract, data, L1 transaction hash]. */
  test("takes Polygon's state-sync transactions from their raw form", () => {
    const raw = encode(0x7f, [[7n, b(`0x${'01'.repeat(20)}`), b('0x616c706861'), b(`0x${'02'.repeat(32)}`)]]);
    expectPayload('POLYGON', { type: '0x7f', raw: toHex(raw) }, raw);
    expect(() => expectPayload('POLYGON', { type: '0x7f' }, raw)).toThrow(
      'the endpoint gives no raw bytes of this state-sync transaction',
    );
    const paid = { type: '0x7f', raw: toHex(encode(0x02, [[7n]])) };
    expect(() => expectPayload('POLYGON', paid, raw)).toThrow('0x02c2c107 is not a state-sync transaction');
  });

  /** https://github.com/ethereum-optimism/specs: op-reth hashes the payload, and op-geth the payload with RLP around the data. */
  test('takes a post-execution transaction under either of its hashes', () => {
    const input = '0xc30101c0';
    const payload = Buffer.concat([Uint8Array.of(0x7d), b(input)]);
    const root = toHex(trieRoot([payload]));
    for (const hash of [keccak256(payload), keccak256(encode(0x7d, [b(input)]))]) {
      const [hashed] = proveTransactions(chainOf('OPTIMISM'), [{ type: '0x7d', hash, input }], root);
      expect(hashed && toHex(hashed.payload)).toBe(toHex(payload));
    }
    const other = { type: '0x7d', hash: keccak256('0x'), input };
    expect(() => proveTransactions(chainOf('OPTIMISM'), [other], root)).toThrow('does not hash to');
  });

  const ethereum = fullBlockNames(fullBlockFolders.small).filter((name) => name.startsWith('ETHEREUM'));
  test.each(ethereum)('hashes the transactions of %s as the node does', async (name) => {
    const { block } = readFullBlock(fullBlockFolders.small, name);
    const transactions = block.transactions as readonly RpcTransaction[];
    expect.assertions(transactions.length);
    for (const transaction of transactions) {
      const parsed = await createTxFromRPC(transaction as Parameters<typeof createTxFromRPC>[0]);
      expect(toHex(parsed.hash())).toBe(transaction.hash);
    }
  });
});
