import { RLP } from '@ethereumjs/rlp';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { keccak256 } from '#core/proof/encoding/keccak.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { proveTransactions } from '#core/proof/fields/transactions.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';

/* Types that no recorded block has. test/whole/proof/real-blocks.test.ts hashes the others. */

const typed = (type: number, payload: Uint8Array) => Buffer.concat([Uint8Array.of(type), payload]);
const hashOf = (payload: Uint8Array) => toHex(keccak256(payload));

/** Proves a block of one transaction with this payload. */
function payloadOf(chain: ChainName, transaction: RpcTransaction, payload: Uint8Array) {
  const [hashed] = proveTransactions(chainOf(chain), [transaction], toHex(trieRoot([payload])));
  return hashed && Buffer.from(hashed.payload);
}

/** https://github.com/ethereum-optimism/specs: op-reth hashes the payload, and op-geth the payload with RLP around the data. */
test('takes a post-execution transaction under either of its hashes', () => {
  const input = '0xc30101c0';
  const payload = typed(0x7d, Buffer.from('c30101c0', 'hex'));
  const ofData = { type: '0x7d', input };
  for (const hash of [hashOf(payload), hashOf(typed(0x7d, RLP.encode([input])))]) {
    expect(payloadOf('OPTIMISM', { ...ofData, hash }, payload)).toEqual(payload);
  }
  const other = { ...ofData, hash: hashOf(new Uint8Array()) };
  expect(() => payloadOf('OPTIMISM', other, payload)).toThrow('does not hash to');
});
