import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block, Receipt } from '../../../lambda/chains/block.ts';
import { type Chain, chainOf } from '../../../lambda/chains/chains.ts';
import { checkBlock } from '../../../lambda/ingest/check-block.ts';
import { headerSchema, receiptsSchema } from '../../../lambda/rpc/decode.ts';
import { block, hashOf, header } from '../../support/builders.ts';

const ethereum = chainOf('ETHEREUM');

const check = ({ receipts, ...head }: Block, chain: Chain = ethereum, number = head.number) =>
  checkBlock(chain, number, head, receipts);

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
  expect(() => check(block(3), ethereum, 101)).toThrow('ETHEREUM block 101: the node returned block 100');
});

test('refuses a receipt list that is one short', () => {
  const { receipts, ...head } = block(3);
  expect(() => checkBlock(ethereum, 100, head, receipts.slice(0, 2))).toThrow(
    '3 transactions, but 2 receipts',
  );
  expect(() => checkBlock(ethereum, 100, head, [])).toThrow('3 transactions, but 0 receipts');
});

test('refuses receipts of transactions that are not in the block', () => {
  expect(() => checkBlock(ethereum, 100, header({ transactions: [] }), block(1).receipts)).toThrow(
    '0 transactions, but 1 receipts',
  );
  expect(() => check(withReceipt({ transactionHash: hashOf('other') }))).toThrow(
    `transaction ${hashOf('other')}: receipt 1 does not belong to transaction ${hashOf('transaction 1')}`,
  );
});

test('refuses receipts in another order', () => {
  const { receipts, ...head } = block(3);
  expect(() => checkBlock(ethereum, 100, head, receipts.toReversed())).toThrow(
    'receipt 0 does not belong to transaction',
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
    'cumulativeGasUsed is 42000, not 21000 plus gasUsed 20999',
  );
  expect(() => check(withReceipt({ cumulativeGasUsed: 42_001n }))).toThrow(
    'cumulativeGasUsed is 42001, not 21000',
  );
});

test('refuses a block without transactions whose transactionsRoot is not empty', () => {
  const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
  expect(check({ ...block(0), transactionsRoot: empty }).transactions).toEqual([]);
  expect(() => check({ ...block(0), transactionsRoot: hashOf('root') })).toThrow(
    'its transactionsRoot is not that of an empty block',
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
  const head = headerSchema.parse(real.block);
  const receipts = receiptsSchema.parse(real.receipts);
  const ordinary = { ...head, transactions: head.transactions.slice(0, -1) };
  const checkReal = (body = head, answered = receipts, chain = polygon) =>
    checkBlock(chain, 10_000_000, body, answered);

  const complete = receipts.slice(0, -1);

  test('is counted when it is in the body, with or without a receipt', () => {
    expect(checkReal()).toEqual({ ...head, receipts: complete });
    expect(checkReal(head, complete)).toEqual({ ...head, receipts: complete });
    expect(head.transactions).toHaveLength(complete.length + 1);
  });

  test('is ignored when it is only among the receipts', () => {
    expect(checkReal(ordinary)).toEqual({ ...ordinary, receipts: complete });
    expect(checkReal(ordinary, complete)).toEqual({ ...ordinary, receipts: complete });
  });

  test('does not invalidate a block, whatever its receipt holds', () => {
    const odd = {
      transactionIndex: 0,
      cumulativeGasUsed: 123n,
      blockHash: hashOf('zero'),
      transactionHash: hashOf('zero'),
    };
    const oddly = receipts.with(-1, { ...receipts.at(-1), ...odd } as Receipt);
    expect(checkReal(head, oddly).receipts).toEqual(complete);
  });

  test('from the zero address may have a cumulativeGasUsed of 0', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const stateSync = (receipt: Receipt, index: number) =>
      index === 2 ? { ...receipt, from: zero, to: zero, gasUsed: 0n, cumulativeGasUsed: 0n } : receipt;
    expect(check(block(3, stateSync), polygon).receipts).toHaveLength(3);
    expect(() => check(block(3, stateSync), ethereum)).toThrow('cumulativeGasUsed is 0, not 42000');
  });

  test('does not excuse another transaction without a receipt', () => {
    expect(() => checkReal(ordinary, receipts.slice(0, 4))).toThrow('5 transactions, but 4 receipts');
    expect(() => checkReal(head, receipts.slice(0, 4))).toThrow('5 transactions, but 4 receipts');
  });

  test('is excused on Polygon only, and only before it had a type', () => {
    expect(() => checkReal(head, receipts.slice(0, -1), ethereum)).toThrow('6 transactions, but 5 receipts');
    const later = { ...polygon, rules: { family: 'polygon', stateSyncTypeFrom: 10_000_000 } as const };
    expect(() => checkReal(head, receipts.slice(0, -1), later)).toThrow('6 transactions, but 5 receipts');
  });
});
