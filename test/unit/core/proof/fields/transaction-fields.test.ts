import { toHex } from '#core/proof/encoding/hex.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { RlpWriter, writeList } from '#core/proof/encoding/rlp.ts';
import { fieldsOf } from '#core/proof/fields/transaction-fields.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { type Item, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';

/*
 * Proves what is hashed where nodes spell a member in several ways or leave it out. test/whole/proof/real-blocks.test.ts hashes recorded
 * transactions of every type that has been recorded.
 */

const encode = (type: number, transaction: object): string => {
  const writer = new RlpWriter();
  writeList(writer, fieldsOf(type), transaction as RpcTransaction);
  return toHex(writer.since(0));
};
const encoded = (item: Item) => toHex(rlp(item));
const [sender, receiver] = [addressOf('sender'), addressOf('receiver')];

const signed = { nonce: '0x1', gas: '0x5208', value: '0x0', input: '0x', r: '0x1', s: '0x2' };
const accessListType = { ...signed, chainId: '0x1', gasPrice: '0x7', to: receiver, accessList: [] };
const accessListRlp = (parity: string, to: string) => [
  '0x01',
  '0x01',
  '0x07',
  '0x5208',
  to,
  '0x',
  '0x',
  [],
  parity,
  '0x01',
  '0x02',
];

test.each([
  ['the parity as yParity', { yParity: '0x1' }, '0x01'],
  ['the parity as v', { v: '0x1' }, '0x01'],
  ['both, of which yParity counts', { yParity: '0x0', v: '0x1b' }, '0x'],
])('encodes a typed transaction that has %s', (_, parity, written) => {
  expect(encode(1, { ...accessListType, ...parity })).toBe(encoded(accessListRlp(written, receiver)));
});

test.each([null, undefined])('encodes a transaction that creates a contract, whose receiver is %p', (to) => {
  expect(encode(1, { ...accessListType, to, v: '0x1' })).toBe(encoded(accessListRlp('0x01', '0x')));
});

test('encodes access lists and authorizations in their order', () => {
  const [a, b] = [hashOf('a'), hashOf('b')];
  const fees = { maxPriorityFeePerGas: '0x2', maxFeePerGas: '0x3' };
  const authorization = { chainId: '0x0', address: sender, nonce: '0x9', yParity: '0x1', r: '0x3', s: '0x4' };
  const setCode = {
    ...{ ...signed, ...fees, chainId: '0x1', to: receiver, yParity: '0x0' },
    accessList: [
      { address: sender, storageKeys: [a, b] },
      { address: receiver, storageKeys: [] },
    ],
    authorizationList: [authorization, { ...authorization, nonce: '0xa' }],
  };
  const written = (nonce: string) => ['0x', sender, nonce, '0x01', '0x03', '0x04'];
  expect(encode(4, setCode)).toBe(
    encoded([
      ...['0x01', '0x01', '0x02', '0x03', '0x5208', receiver, '0x', '0x'],
      [
        [sender, [a, b]],
        [receiver, []],
      ],
      [written('0x09'), written('0x0a')],
      ...['0x', '0x01', '0x02'],
    ]),
  );
});

test.each([
  ['neither mint nor isSystemTx', {}, '0x', '0x'],
  ['both', { mint: '0x5', isSystemTx: true }, '0x05', '0x01'],
  ['zeros', { mint: '0x0', isSystemTx: false }, '0x', '0x'],
])('encodes a deposit of the OP stack with %s', (_, given, mint, system) => {
  const source = hashOf('source');
  const deposit = {
    sourceHash: source,
    from: sender,
    to: null,
    value: '0x0',
    gas: '0x5208',
    input: '0x12',
    ...given,
  };
  expect(encode(0x7e, deposit)).toBe(encoded([source, sender, '0x', mint, '0x', '0x5208', system, '0x12']));
});

test.each([
  ['maxFeePerGas', { maxFeePerGas: '0x7' }],
  ['gasPrice', { gasPrice: '0x7' }],
  ['both, of which maxFeePerGas counts', { maxFeePerGas: '0x7', gasPrice: '0x9' }],
])("encodes the price of Arbitrum's own types from %s", (_, price) => {
  const call = {
    chainId: '0x1',
    from: sender,
    nonce: '0x1',
    gas: '0x5208',
    to: receiver,
    value: '0x0',
    input: '0x',
  };
  expect(encode(0x65, { ...call, ...price })).toBe(
    encoded(['0x01', sender, '0x01', '0x07', '0x5208', receiver, '0x', '0x']),
  );
});

test.each([
  [
    'accessList[1].address',
    {
      accessList: [
        { address: sender, storageKeys: [] },
        { address: '0x12', storageKeys: [] },
      ],
    },
  ],
  ['accessList[0].storageKeys', { accessList: [{ address: sender, storageKeys: ['0x12'] }] }],
  ['to', { to: '0x12' }],
  ['gasPrice', { gasPrice: undefined }],
])('names %s when it cannot be encoded', (field, change) => {
  expect(() => encode(1, { ...accessListType, v: '0x1', ...change })).toThrow(
    expect.objectContaining({ field }),
  );
});

/* https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go. */
test("encodes Arbitrum's deposits, redeems and submissions, whose IDs have 32 bytes and whose addresses 20", () => {
  const [id, ticketId] = [hashOf('request'), hashOf('ticket')];
  const [refundTo, beneficiary] = [addressOf('refund'), addressOf('beneficiary')];
  const call = {
    chainId: '0x1',
    from: sender,
    maxFeePerGas: '0x7',
    gas: '0x5208',
    value: '0x8',
    input: '0x12',
  };
  expect(encode(0x64, { chainId: '0x1', requestId: id, from: sender, to: receiver, value: '0x5' })).toBe(
    encoded(['0x01', id, sender, receiver, '0x05']),
  );
  const refunds = { refundTo, maxRefund: '0x9', submissionFeeRefund: '0xa' };
  expect(encode(0x68, { ...call, nonce: '0x2', to: receiver, ticketId, ...refunds })).toBe(
    encoded([
      ...['0x01', '0x02', sender, '0x07', '0x5208', receiver, '0x08', '0x12'],
      ...[ticketId, refundTo, '0x09', '0x0a'],
    ]),
  );
  const submission = {
    ...{
      ...call,
      requestId: id,
      l1BaseFee: '0x2',
      depositValue: '0x3',
      retryTo: receiver,
      retryValue: '0x4',
    },
    ...{ beneficiary, maxSubmissionFee: '0x5', refundTo, retryData: '0x34' },
  };
  expect(encode(0x69, submission)).toBe(
    encoded([
      ...['0x01', id, sender, '0x02', '0x03', '0x07', '0x5208', receiver, '0x04'],
      ...[beneficiary, '0x05', refundTo, '0x34'],
    ]),
  );
});

test('refuses a type whose members are not known, by its number in hex', () => {
  expect(() => fieldsOf(0x6b)).toThrow(ProofError);
  expect(() => fieldsOf(0x6b)).toThrow('transactions of type 0x6b do not hash to their hash');
});
