import { type Hex, keccak256, toBytes, toRlp } from 'viem';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { proveTransactions } from '#core/proof/fields/transactions.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';

/* Types that no recorded block has. test/whole/proof/real-blocks.test.ts hashes the others. */

/** Proves a block of one transaction with this payload. */
function payloadOf(chain: ChainName, transaction: RpcTransaction, payload: Hex) {
  const [hashed] = proveTransactions(chainOf(chain), [transaction], toHex(trieRoot([toBytes(payload)])));
  return hashed && toHex(hashed.payload);
}

/** https://github.com/0xPolygon/bor core/types/tx_state_sync.go: a list of [id, contract, data, L1 transaction hash]. */
test("takes Polygon's state-sync transactions from their raw form", () => {
  const raw: Hex = `0x7f${toRlp([['0x07', `0x${'01'.repeat(20)}`, '0x616c', `0x${'02'.repeat(32)}`]]).slice(2)}`;
  const stateSync = { type: '0x7f', hash: keccak256(raw) };
  expect(payloadOf('POLYGON', { ...stateSync, raw }, raw)).toBe(raw);
  expect(() => payloadOf('POLYGON', stateSync, raw)).toThrow(
    'the endpoint gives no raw bytes of this state-sync transaction',
  );
  const paid = { ...stateSync, raw: '0x02c2c107' };
  expect(() => payloadOf('POLYGON', paid, raw)).toThrow('0x02c2c107 is not a state-sync transaction');
});

/** https://github.com/ethereum-optimism/specs: op-reth hashes the payload, and op-geth the payload with RLP around the data. */
test('takes a post-execution transaction under either of its hashes', () => {
  const input = '0xc30101c0';
  const payload: Hex = `0x7d${input.slice(2)}`;
  for (const hash of [keccak256(payload), keccak256(`0x7d${toRlp([input]).slice(2)}`)]) {
    expect(payloadOf('OPTIMISM', { type: '0x7d', hash, input }, payload)).toBe(payload);
  }
  const other = { type: '0x7d', hash: keccak256('0x'), input };
  expect(() => payloadOf('OPTIMISM', other, payload)).toThrow('does not hash to');
});
