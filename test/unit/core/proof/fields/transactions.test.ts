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

const transfer = { nonce: '0x1', gasPrice: '0x7', gas: '0x5208', to: null, value: '0x0', input: '0x' };
const signed = { ...transfer, v: '0x1b', r: '0x1', s: '0x2' };
const members = ['0x01', '0x07', '0x5208', '0x', '0x', '0x', '0x1b', '0x01', '0x02'];

test('takes a transaction without a type for a legacy one, which has no type byte', () => {
  const payload = RLP.encode(members);
  const hash = hashOf(payload);
  expect(payloadOf('ETHEREUM', { ...signed, hash }, payload)).toEqual(Buffer.from(payload));
  expect(payloadOf('ETHEREUM', { ...signed, type: '0x0', hash }, payload)).toEqual(Buffer.from(payload));
});

test('gives each transaction of a block its own hash', () => {
  const payloads = ['0x01', '0x02', '0x03'].map((nonce) => RLP.encode(members.with(0, nonce)));
  const given = payloads.map((payload, index) => ({
    ...signed,
    nonce: `0x${index + 1}`,
    hash: hashOf(payload),
  }));
  const hashed = proveTransactions(chainOf('ETHEREUM'), given, toHex(trieRoot(payloads)));
  expect(hashed.map(({ hash }) => hash)).toEqual(given.map(({ hash }) => hash));
});

test('a type byte is hashed before the members', () => {
  const payload = typed(1, RLP.encode(['0x01', ...members.slice(0, 6), [], '0x01', '0x01', '0x02']));
  const accessList = {
    ...signed,
    type: '0x1',
    chainId: '0x1',
    accessList: [],
    v: '0x1',
    hash: hashOf(payload),
  };
  expect(payloadOf('ETHEREUM', accessList, payload)).toEqual(payload);
});

test('a state-sync is hashed as its raw bytes, which begin with its type', () => {
  const raw = '0x7fc20102';
  const payload = Buffer.from('7fc20102', 'hex');
  const stateSync = { type: '0x7f', hash: `0x${'12'.repeat(32)}` };
  expect(payloadOf('POLYGON', { ...stateSync, raw }, payload)).toEqual(payload);
  expect(() => payloadOf('POLYGON', stateSync, payload)).toThrow('gives no raw bytes');
  expect(() => payloadOf('POLYGON', { ...stateSync, raw: '0x02c20102' }, payload)).toThrow(
    '0x02c20102 is not a state-sync transaction',
  );
});

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
