import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block, Receipt } from '../../../../lambda/chains/block.ts';
import { type Chain, chainOf } from '../../../../lambda/chains/chains.ts';
import { checkBlock } from '../../../../lambda/ingest/blocks/check.ts';
import { DecodeError } from '../../../../lambda/rpc/decode.ts';
import { addressOf, block, hashOf } from '../../../support/builders.ts';

const ethereum = chainOf('ETHEREUM');

/** Returns the two responses of a node for a block. */
function answersOf({ receipts, transactions, ...header }: Block): [unknown, unknown[]] {
  const raw = JSON.parse(
    JSON.stringify({ header, receipts }, (_, value) =>
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
    ),
  );
  return [{ ...raw.header, transactions: transactions.map((hash) => ({ hash })) }, raw.receipts];
}

const check = (given: Block, chain: Chain = ethereum, number = given.number) =>
  checkBlock(chain, number, ...answersOf(given));

/** Block 100 with three transfers, the second one changed. */
const withReceipt = (change: Partial<Receipt>): Block => {
  const complete = block(3);
  return {
    ...complete,
    receipts: complete.receipts.map((receipt, index) => (index === 1 ? { ...receipt, ...change } : receipt)),
  };
};

test('accepts a complete block', () => {
  expect(check(block(3))).toEqual(block(3));
  expect(check(block(0))).toEqual(block(0));
});

test('refuses another block than the requested one', () => {
  expect(() => check(block(3), ethereum, 101)).toThrow(
    'ETHEREUM block 101: the node answered with block 100',
  );
});

test('refuses a receipt list that is one short', () => {
  const { receipts, ...head } = block(3);
  expect(() => check({ ...head, receipts: receipts.slice(0, 2) })).toThrow('3 transactions, but 2 receipts');
  expect(() => check({ ...head, receipts: [] })).toThrow('3 transactions, but 0 receipts');
});

test('refuses receipts of transactions that are not in the block', () => {
  expect(() => check({ ...block(1), transactions: [] })).toThrow('0 transactions, but 1 receipts');
  expect(() => check(withReceipt({ transactionHash: hashOf('other') }))).toThrow(
    `transaction ${hashOf('other')}: receipt 1 is not that of transaction ${hashOf('transaction 1')}`,
  );
});

test('refuses receipts in another order', () => {
  const { receipts, ...head } = block(3);
  expect(() => check({ ...head, receipts: receipts.toReversed() })).toThrow(
    'receipt 0 is not that of transaction',
  );
});

test('refuses a receipt of another block', () => {
  expect(() => check(withReceipt({ blockHash: hashOf('fork') }))).toThrow(
    `receipt of block hash ${hashOf('fork')}`,
  );
  expect(() => check(withReceipt({ blockNumber: 99 }))).toThrow('receipt of block 99');
});

test('refuses a receipt with a wrong index', () => {
  expect(() => check(withReceipt({ transactionIndex: 2 }))).toThrow('receipt 1 has index 2');
});

test('refuses cumulativeGasUsed that is not the sum of gasUsed', () => {
  expect(() => check(withReceipt({ gasUsed: 20_999n }))).toThrow(
    'cumulativeGasUsed 42000 does not follow 21000 by gasUsed 20999',
  );
  expect(() => check(withReceipt({ cumulativeGasUsed: 42_001n }))).toThrow(
    'cumulativeGasUsed 42001 does not follow 21000',
  );
});

test('refuses a block without transactions whose transactionsRoot is not empty', () => {
  const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
  expect(check({ ...block(0), transactionsRoot: empty }).transactions).toEqual([]);
  expect(() => check({ ...block(0), transactionsRoot: hashOf('root') })).toThrow(
    'no transactions, but a transactionsRoot that is not empty',
  );
});

test.each([
  ['OPTIMISM', 105_235_063],
  ['BASE', 0],
  ['ARBITRUM', 22_207_818],
] as const)(
  'on %s, refuses an empty block after block %i, because each has a protocol transaction',
  (name, last) => {
    const emptyAt = (number: number) => ({ ...block(0), number });
    expect(check(emptyAt(last), chainOf(name)).transactions).toEqual([]);
    expect(() => check(emptyAt(last + 1), chainOf(name))).toThrow(
      'every block of this chain begins with a protocol transaction',
    );
  },
);

describe("Polygon's synthetic state-sync transaction", () => {
  const polygon = chainOf('POLYGON');
  const real = JSON.parse(
    readFileSync(join(process.cwd(), 'test/fixtures/blocks/POLYGON-10000000.json'), 'utf8'),
  );
  const [body, receipts] = [real.block, real.receipts];
  const hashes: readonly string[] = body.transactions;
  const withBody = (given: readonly string[]) => ({ ...body, transactions: given.map((hash) => ({ hash })) });
  const ordinary = hashes.slice(0, -1);
  const checkReal = (given = hashes, answered = receipts, chain = polygon) =>
    checkBlock(chain, 10_000_000, withBody(given), answered);
  const countsOf = (checked: Block) => [checked.transactions.length, checked.receipts.length];

  const complete = receipts.slice(0, -1);

  test('is counted when it is in the body, with or without a receipt', () => {
    expect(countsOf(checkReal())).toEqual([6, 5]);
    expect(checkReal(hashes, complete)).toEqual(checkReal());
  });

  test('is ignored when it is only among the receipts', () => {
    expect(countsOf(checkReal(ordinary))).toEqual([5, 5]);
    expect(checkReal(ordinary, complete)).toEqual(checkReal(ordinary));
  });

  test('does not invalidate a block, whatever its receipt holds', () => {
    const odd = {
      transactionIndex: 0,
      cumulativeGasUsed: '0x7b',
      blockHash: hashOf('zero'),
      transactionHash: hashOf('zero'),
    };
    const oddly = receipts.with(-1, { ...receipts.at(-1), ...odd });
    expect(checkReal(hashes, oddly)).toEqual(checkReal());
  });

  test('from the zero address may have a cumulativeGasUsed of 0', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const stateSync = (receipt: Receipt, index: number) =>
      index === 2 ? { ...receipt, from: zero, to: zero, gasUsed: 0n, cumulativeGasUsed: 0n } : receipt;
    expect(check(block(3, stateSync), polygon).receipts).toHaveLength(3);
    expect(() => check(block(3, stateSync), ethereum)).toThrow('cumulativeGasUsed 0 does not follow 42000');
  });

  test('does not excuse another transaction without a receipt', () => {
    expect(() => checkReal(ordinary, receipts.slice(0, 4))).toThrow('5 transactions, but 4 receipts');
    expect(() => checkReal(hashes, receipts.slice(0, 4))).toThrow('5 transactions, but 4 receipts');
  });

  test('is excused on Polygon only, and only before it had a type', () => {
    expect(() => checkReal(hashes, receipts.slice(0, -1), ethereum)).toThrow(
      '6 transactions, but 5 receipts',
    );
    const later = { ...polygon, rules: { family: 'polygon', stateSyncTypeFrom: 10_000_000 } as const };
    expect(() => checkReal(hashes, receipts.slice(0, -1), later)).toThrow('6 transactions, but 5 receipts');
  });
});

describe('responses', () => {
  const [head, receipts] = answersOf(block(2));
  const withSecond = (change: object) => () =>
    checkBlock(ethereum, 100, head, receipts.with(1, { ...(receipts[1] as object), ...change }));

  test.each([
    'transactionHash',
    'transactionIndex',
    'blockHash',
    'blockNumber',
    'type',
    'from',
    'gasUsed',
    'cumulativeGasUsed',
  ])('without %s in a receipt are refused with its index', (field) => {
    for (const value of [undefined, null, 'ten', {}]) {
      expect(withSecond({ [field]: value })).toThrow(DecodeError);
      expect(withSecond({ [field]: value })).toThrow(`[1].${field}: expected`);
    }
  });

  test.each(['number', 'hash', 'parentHash', 'timestamp', 'transactions'])(
    'without %s in the block are refused',
    (field) => {
      const without = { ...(head as object), [field]: undefined };
      expect(() => checkBlock(ethereum, 100, without, receipts)).toThrow(DecodeError);
    },
  );

  test.each([[null], ['0x1'], [undefined]])('with the receipt %p are refused', (value) => {
    expect(() => checkBlock(ethereum, 100, head, [value])).toThrow('[0]: expected an object');
  });

  test('may leave out optional fields of a receipt or give null, which remain distinct', () => {
    const [, second] = checkBlock(ethereum, 100, head, [
      receipts[0],
      { ...(receipts[1] as object), effectiveGasPrice: undefined, l1Fee: null },
    ]).receipts;
    expect(second?.effectiveGasPrice).toBeUndefined();
    expect(second?.l1Fee).toBeNull();
  });

  test('are decoded to lower case', () => {
    const shouting = `0x${addressOf('sender').slice(2).toUpperCase()}`;
    const [, second] = checkBlock(ethereum, 100, head, [
      receipts[0],
      { ...(receipts[1] as object), from: shouting, type: '0x7E' },
    ]).receipts;
    expect(second).toMatchObject({ from: addressOf('sender'), type: 0x7e });
  });
});
