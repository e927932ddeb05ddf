import { chainOf } from '#core/chains/chains.ts';
import { hashTransactions } from '#core/proof/fields/transactions.ts';
import {
  decodeBlock,
  decodeCheckedBlock,
  decodeCheckedReceipts,
  decodeReceipts,
} from '#core/proof/json/decode-block.ts';
import type { CheckedReceipt } from '#core/proof/json/rpc-types.ts';
import {
  type FullBlock,
  fullBlockFolders,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';

type Members = Record<string, unknown>;

const real = (): FullBlock => readFullBlock(fullBlockFolders.small, 'ARBITRUM-150000000.json');
const transactionsOf = ({ block }: FullBlock) => block.transactions as Members[];

const blockWith = (change: Members) => decodeBlock({ ...real().block, ...change });
const transactionWith = (change: Members) => {
  const full = real();
  return decodeBlock({ ...full.block, transactions: [{ ...transactionsOf(full)[1], ...change }] });
};
const hashWith = (change: Members) =>
  hashTransactions(chainOf('ARBITRUM'), transactionWith({ type: '0x1', ...change }).transactions)[0]?.hash;
const receiptWith = (change: Members) => decodeReceipts([{ ...(real().receipts[1] as Members), ...change }]);

test('takes numbers for hex, as some nodes give them, and null for absent members', () => {
  const block = blockWith({ number: 150_000_000, baseFeePerGas: null, gasUsed: 0 });
  expect(block).toMatchObject({ number: '0x8f0d180', gasUsed: '0x0' });
  expect(block.baseFeePerGas).toBeUndefined();
  const hex = { type: '0x1', nonce: '0x7', to: undefined, accessList: [] };
  expect(hashWith({ type: 1, nonce: 7, to: null, accessList: null })).toBe(hashWith(hex));
  const [address, storageKeys] = [`0x${'33'.repeat(20)}`, null];
  expect(hashWith({ accessList: [{ address, storageKeys }] })).toBe(
    hashWith({ accessList: [{ address, storageKeys: [] }] }),
  );
  expect(receiptWith({ gasUsed: 21_000, effectiveGasPrice: null })[0]).toMatchObject({ gasUsed: '0x5208' });
});

test('takes the spellings of other clients', () => {
  const { transactions } = transactionWith({ input: undefined, data: '0x12', to: '', isSystemTx: '0x0' });
  expect(transactions[0]).toMatchObject({ input: '0x12', to: undefined, isSystemTx: false });
  expect(transactionWith({ isSystemTx: '0x1', to: '0x' }).transactions[0]).toMatchObject({
    isSystemTx: true,
    to: undefined,
  });
  const spelled = { logs: null, logsBloom: '0x', status: true, blobGasPrice: '1' };
  const read = { logs: [], logsBloom: undefined, status: '0x1', blobGasPrice: undefined };
  expect(receiptWith(spelled)[0]).toMatchObject(read);
  expect(receiptWith({ status: false })[0]).toMatchObject({ status: '0x0' });
});

const refusals: readonly [field: string, decode: () => unknown][] = [
  ['block', () => decodeBlock(null)],
  ['block', () => decodeBlock('0x')],
  ['receipts', () => decodeReceipts(null)],
  ['receipts', () => decodeReceipts({})],
  ['number', () => blockWith({ number: undefined })],
  ['number', () => blockWith({ number: -1 })],
  ['hash', () => blockWith({ hash: {} })],
  ['transactions', () => blockWith({ transactions: undefined })],
  ['transactions', () => blockWith({ transactions: new Array(100_001) })],
  ['transactions[0]', () => blockWith({ transactions: [`0x${'00'.repeat(32)}`] })],
  ['transactions[0].hash', () => transactionWith({ hash: undefined })],
  ['transactions[0].value', () => hashWith({ value: 0.5 })],
  // No hash covers the type as it is, and Number() accepts each of these.
  ...['', ' 0x2', '0x2\n', '\u00a00x2', '2', '0b10'].flatMap((type): [string, () => unknown][] => [
    ['transactions[0].type', () => transactionWith({ type })],
    ['receipts[0].type', () => receiptWith({ type })],
  ]),
  ['transactions[0].input', () => hashWith({ input: ['0x'] })],
  ['transactions[0].accessList', () => transactionWith({ accessList: {} })],
  ['transactions[0].accessList[0].address', () => hashWith({ accessList: [{ storageKeys: [] }] })],
  [
    'transactions[0].accessList[0].storageKeys',
    () => hashWith({ accessList: [{ address: `0x${'00'.repeat(20)}`, storageKeys: [1] }] }),
  ],
  ['transactions[0].authorizationList[0]', () => transactionWith({ authorizationList: [[]] })],
  ['transactions[0].blobVersionedHashes', () => transactionWith({ blobVersionedHashes: new Array(1_001) })],
  ['transactions[0].isSystemTx', () => transactionWith({ isSystemTx: 'false' })],
  ['receipts[0]', () => decodeReceipts([null])],
  ['receipts[0].cumulativeGasUsed', () => receiptWith({ cumulativeGasUsed: undefined })],
  ['receipts[0].gasUsed', () => receiptWith({ gasUsed: '21000' })],
  ['receipts[0].l1Fee', () => receiptWith({ l1Fee: '0xzz' })],
  ['receipts[0].effectiveGasPrice', () => receiptWith({ effectiveGasPrice: `0x${'f'.repeat(65)}` })],
  ['receipts[0].logs', () => receiptWith({ logs: {} })],
  ['receipts[0].logs[0].data', () => receiptWith({ logs: [{ address: '0x', topics: [] }] })],
  [
    'receipts[0].logs[0].topics',
    () => receiptWith({ logs: [{ address: '0x', data: '0x', topics: ['0x', '0x', '0x', '0x', '0x'] }] }),
  ],
];

test.each(refusals)('names %s when it has the wrong shape (case %#)', (field, decode) => {
  expect(decode).toThrow(expect.objectContaining({ name: 'ProofError', field }));
});

test('stops at the first bad element', () => {
  let reads = 0;
  const bad = () =>
    Object.defineProperty({}, 'hash', {
      get: () => {
        reads++;
        return undefined;
      },
    });
  expect(() => blockWith({ transactions: [bad(), bad(), bad()] })).toThrow();
  // One read finds the hash missing, and one looks at the value for the message.
  expect(reads).toBeLessThanOrEqual(2);
});

/*
 * 2.1 billion gas are more than any block has. An element of these lists costs 375 gas (a log, yellow paper), 2,400 or 1,900 (an address or
 * a key of an access list, EIP-2930), 12,500 (an authorization, EIP-7702) and 21,000 (a transaction). The arrays are empty, which the first
 * element shows.
 */
const GAS = 2_100_000_000;
const address = `0x${'12'.repeat(20)}`;
const listOf: Readonly<Record<string, readonly [max: number, decode: (list: unknown[]) => unknown]>> = {
  transactions: [GAS / 21_000, (list) => blockWith({ transactions: list })],
  // One more for Polygon's state-sync.
  receipts: [GAS / 21_000 + 1, decodeReceipts],
  'receipts[0].logs': [GAS / 375, (list) => receiptWith({ logs: list })],
  'transactions[0].accessList': [GAS / 2_400, (list) => transactionWith({ accessList: list })],
  'transactions[0].authorizationList': [GAS / 12_500, (list) => transactionWith({ authorizationList: list })],
};

test.each(Object.entries(listOf))('reads %s up to what a block can pay for', (field, [max, decode]) => {
  expect(() => decode(new Array(max))).toThrow(expect.objectContaining({ field: `${field}[0]` }));
  expect(() => decode(new Array(max + 1))).toThrow(
    expect.objectContaining({ field, message: `${max + 1} elements are more than a block can hold` }),
  );
});

test('reads storage keys and blobs up to what a block can hold', () => {
  const keys = (count: number) =>
    transactionWith({ accessList: [{ address, storageKeys: new Array(count) }] });
  const max = Math.floor(GAS / 1_900);
  expect(() => keys(max)).not.toThrow();
  expect(() => keys(max + 1)).toThrow(
    expect.objectContaining({ field: 'transactions[0].accessList[0].storageKeys' }),
  );
  expect(() => transactionWith({ blobVersionedHashes: new Array(1_000) })).not.toThrow();
});

describe('a block that is only checked', () => {
  const hash = `0x${'aB'.repeat(32)}`;
  const block = {
    ...{ number: 7, hash, parentHash: hash, timestamp: '0x1', transactionsRoot: hash },
    ...{ miner: `0x${'0C'.repeat(20)}`, transactions: [{ hash, gas: 21_000 }] },
  };
  const receipt = {
    ...{ transactionHash: hash, transactionIndex: '0x0', blockHash: hash, blockNumber: '0x7', type: '0x0' },
    ...{ from: address, to: address, gasUsed: '0x5208', cumulativeGasUsed: '0x5208', logs: [] },
  };
  const receiptOf = (change: Members): CheckedReceipt | undefined =>
    decodeCheckedReceipts([{ ...receipt, ...change }])[0];

  test('has hashes and addresses in lower case, and numbers as hex', () => {
    const lower = hash.toLowerCase();
    expect(decodeCheckedBlock(structuredClone(block))).toMatchObject({
      ...{ number: '0x7', hash: lower, parentHash: lower, transactionsRoot: lower },
      ...{ miner: `0x${'0c'.repeat(20)}`, transactions: [{ hash: lower, gas: '0x5208' }] },
    });
    expect(receiptOf({ to: '' })).toMatchObject({ transactionHash: lower, to: undefined });
  });

  test.each([
    [true, '0x1'],
    [false, '0x0'],
    ['0x1', '0x1'],
    [undefined, undefined],
  ])('may state the status %p', (status, read) => {
    expect(receiptOf({ status })?.status).toBe(read);
  });

  test.each(['hash', 'parentHash', 'transactionsRoot', 'miner'] as const)(
    'has no %s of another length',
    (field) => {
      for (const value of [`${block[field]}00`, block[field].slice(0, -2), `${block[field].slice(0, -1)}g`])
        expect(() => decodeCheckedBlock({ ...block, [field]: value })).toThrow(
          expect.objectContaining({ field }),
        );
    },
  );

  test.each(['transactionHash', 'blockHash', 'from', 'to'] as const)(
    'has no receipt with a %s of another length',
    (field) => {
      const value = `${receipt[field]}00`;
      expect(() => receiptOf({ [field]: value })).toThrow(
        expect.objectContaining({ field: `receipts[0].${field}` }),
      );
    },
  );

  test('has no log whose topic is not a string', () => {
    const log = { address, data: '0x', topics: [1] };
    expect(() => receiptOf({ logs: [log] })).toThrow(
      expect.objectContaining({ field: 'receipts[0].logs[0].topics[0]' }),
    );
  });
});
