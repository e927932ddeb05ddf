import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chain, type ChainName, chainOf } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { checkBlock, checkBounds } from '#core/proof/check-block.ts';
import { decodeCheckedBlock, decodeCheckedReceipts } from '#core/proof/json/decode-block.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';
import { type Answers, answersOf, check } from '#test/support/generators/blocks/checked-block.ts';
import {
  fullBlockFolders,
  fullBlockNames,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';

const ethereum = chainOf('ETHEREUM');

/** Block 100 with three transfers, the receipt of the second one changed. */
const withReceipt = (change: Json): Answers =>
  answersOf(3, (receipt, index) => (index === 1 ? { ...receipt, ...change } : receipt));
const withBlock = (answers: Answers, change: Json): Answers => ({
  ...answers,
  block: { ...answers.block, ...change },
});

test('sums a complete block', () => {
  expect(check(ethereum, answersOf(3))).toEqual({
    blocks: 1,
    transactions: 3,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 3n * 21_000n * 2n },
    // The receipts state no status, and the header no base fee.
    measures: { gasUsed: 63_000n, failedTransactions: undefined, priorityFees: undefined, blobs: 0n },
  });
  const empty = { ...NO_TOTALS, blocks: 1 };
  expect(check(ethereum, answersOf(0))).toEqual(empty);
});

test.each([
  ['a receipt list that is one short', answersOf(3).receipts.slice(0, 2), 3, '2 receipts of 3'],
  ['no receipts', [], 3, '0 receipts of 3'],
  ['receipts of transactions that are not in the block', answersOf(1).receipts, 0, '1 receipts of 0'],
])('refuses %s', (_, receipts, count, problem) => {
  const { block } = answersOf(count);
  expect(() => check(ethereum, { block, receipts })).toThrow(`receipts: ${problem} transactions`);
});

test.each<[string, Json, string]>([
  [
    'of another block',
    { blockHash: hashOf('fork') },
    `blockHash: ${hashOf('fork')} is not ${hashOf('block 100')}`,
  ],
  [
    'of another transaction',
    { transactionHash: hashOf('other') },
    `transactionHash: ${hashOf('other')} is not ${hashOf('transaction 1')}`,
  ],
  ['with another number', { blockNumber: '0x63' }, 'blockNumber: 99 is not 100'],
  ['with a wrong index', { transactionIndex: '0x2' }, 'transactionIndex: 2 is not 1'],
  ['with a gasUsed too low', { gasUsed: hex(20_999) }, 'cumulativeGasUsed: 42000 is not 41999'],
  ['with a sum too high', { cumulativeGasUsed: hex(42_001) }, 'cumulativeGasUsed: 42001 is not 42000'],
])('refuses a receipt %s', (_, change, problem) => {
  expect(() => check(ethereum, withReceipt(change))).toThrow(`receipts[1].${problem}`);
});

test('refuses a block without transactions whose transactionsRoot is not empty', () => {
  const empty = '0x56E81F171BCC55A6FF8345E692C0F86E5B48E01B996CADC001622FB5E363B421';
  const withRoot = (transactionsRoot: string) => withBlock(answersOf(0), { transactionsRoot });
  expect(check(ethereum, withRoot(empty)).transactions).toBe(0);
  expect(() => check(ethereum, withRoot(hashOf('root')))).toThrow(
    'transactions: there are none, but the transactionsRoot is not empty',
  );
});

test.each<[string, 'ETHEREUM' | 'BASE' | 'ARBITRUM', Json]>([
  ['the price of gas', 'ETHEREUM', { effectiveGasPrice: hex(2n ** 256n - 1n) }],
  ['an L1 fee', 'BASE', { l1Fee: hex(10n ** 29n) }],
  ['the gas of a retryable submission', 'ARBITRUM', { type: '0x69', effectiveGasPrice: hex(10n ** 29n) }],
])('refuses a block whose fees are more than all coins by %s', (_, name, given) => {
  const forged = answersOf(2, (receipt, index) => ({ ...receipt, l1Fee: '0x0', ...(index === 1 && given) }));
  expect(() => check(chainOf(name), forged)).toThrow('transactions: their fees are more than all coins');
});

/** The same answers of another block. */
const atPlace = ({ block, receipts }: Answers, number: number, change: Json = {}): Answers => ({
  block: { ...block, number: hex(number), ...change },
  receipts: receipts.map((receipt) => ({ ...receipt, blockNumber: hex(number) })),
});

test('counts the transactions whose status is 0 as failed', () => {
  const withStatus = answersOf(3, (receipt, index) => ({ ...receipt, status: index === 1 ? '0x0' : '0x1' }));
  expect(check(ethereum, withStatus).measures.failedTransactions).toBe(1n);
});

test('keeps each transaction within its gas limit, unless prices are believed as stated', () => {
  const { block, receipts } = answersOf(1);
  const transactions = block.transactions.map((transaction) => ({ ...transaction, gas: hex(20_999) }));
  const given = [
    ethereum,
    decodeCheckedBlock({ ...block, transactions }),
    decodeCheckedReceipts(receipts),
  ] as const;
  expect(checkBlock(...given)).toHaveProperty(
    'refused.message',
    'gasUsed 21000 is above the gas limit 20999',
  );
  expect(checkBlock(...given, true)).toHaveProperty('sums.totals.transactions', 1);
});

test.each<[ChainName, number, boolean]>([
  // The first blocks of Nitro, of Bedrock and of Base have no transactions.
  ['ARBITRUM', 22_207_818, true],
  ['ARBITRUM', 22_207_819, false],
  ['OPTIMISM', 105_235_063, true],
  ['OPTIMISM', 105_235_064, false],
  ['BASE', 0, true],
  ['BASE', 1, false],
  ['ETHEREUM', 24_000_000, true],
])('on %s, block %i may have no transactions: %p', (name, number, isValid) => {
  const run = () => check(chainOf(name), atPlace(answersOf(0), number)).transactions;
  if (isValid) expect(run()).toBe(0);
  else expect(run).toThrow('every block of this chain begins with a protocol transaction');
});

describe('on Arbitrum before Nitro, the cumulative gas', () => {
  const checkSums = (sums: readonly number[], change: Json = {}) =>
    check(
      chainOf('ARBITRUM'),
      answersOf(sums.length, (receipt, index) => ({
        ...receipt,
        cumulativeGasUsed: hex(sums[index] ?? 0),
        ...change,
      })),
    );

  test('grows by the gas that was not for L1, if the receipts state that', () => {
    const stated = { gasUsedForL1: hex(5_000) };
    expect(checkSums([16_000, 32_000], stated).transactions).toBe(2);
    for (const sums of [
      [16_000, 31_999],
      [16_001, 32_001],
      [21_000, 42_000],
    ])
      expect(() => checkSums(sums, stated)).toThrow('cumulativeGasUsed');
  });

  test.each([
    [16_000, 16_000, true],
    [16_000, 37_000, true],
    [16_000, 15_999, false],
    [16_000, 37_001, false],
  ])('may go from %i to %i: %p, if they do not', (first, second, isValid) => {
    const run = () => checkSums([first, second]).transactions;
    if (isValid) expect(run()).toBe(2);
    else expect(run).toThrow(`${second} is not from 16000 to 37000`);
  });
});

test("believes nothing of a typed state-sync's receipt, and no other receipt with another hash", () => {
  const polygon = chainOf('POLYGON');
  const typed = (type: string) =>
    atPlace(
      answersOf(2, (receipt, index) =>
        index === 0
          ? receipt
          : { ...receipt, type, transactionHash: hashOf('other'), gasUsed: '0x0', cumulativeGasUsed: '0x0' },
      ),
      80_084_801,
    );
  expect(check(polygon, typed('0x7f'))).toMatchObject({ transactions: 2, protocolTransactions: 1 });
  expect(() => check(polygon, typed('0x0'))).toThrow('receipts[1].transactionHash');
});

test.each([
  // Isthmus: 2025-05-09T16:00:01Z.
  [Date.parse('2025-05-09T16:00:00Z') / 1_000, 0n],
  [Date.parse('2025-05-09T16:00:01Z') / 1_000, 42_007n],
])('at %i, a stated operator fee counts as %s wei', (timestamp, operator) => {
  const parameters = { l1Fee: '0x5', operatorFeeScalar: hex(2_000_000), operatorFeeConstant: '0x7' };
  const answers = answersOf(1, (receipt) => ({ ...receipt, ...parameters }));
  const { fees } = check(chainOf('BASE'), atPlace(answers, 30_000_000, { timestamp: hex(timestamp) }));
  expect(fees).toMatchObject({ execution: 42_000n, l1Data: 5n, operator });
});

test('an L1 fee of null means no charge in the last block before Bedrock, and is missing in the first after', () => {
  const free = answersOf(1, (receipt) => ({ ...receipt, effectiveGasPrice: '0x0', l1Fee: null }));
  const optimism = chainOf('OPTIMISM');
  expect(check(optimism, atPlace(free, 105_235_062)).fees).toEqual(NO_FEES);
  expect(() => check(optimism, atPlace(free, 105_235_063))).toThrow('l1Fee');
});

describe("Polygon's synthetic state-sync transaction", () => {
  const polygon = chainOf('POLYGON');
  const real = JSON.parse(
    readFileSync(join(process.cwd(), 'test/fixtures/blocks/POLYGON-10000000.json'), 'utf8'),
  );
  const [body, receipts] = [real.block, real.receipts];
  const hashes: readonly string[] = body.transactions;
  const checkReal = (given = hashes, answered = receipts, chain: Chain = polygon) =>
    check(chain, { block: { ...body, transactions: given.map((hash) => ({ hash })) }, receipts: answered });

  const complete = receipts.slice(0, -1);

  test('is counted when it is in the body, with or without a receipt', () => {
    expect(checkReal()).toMatchObject({ transactions: 6, protocolTransactions: 1 });
    expect(checkReal(hashes, complete)).toEqual(checkReal());
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

  test('is refused where no sprint begins, and with a hash that does not follow from the block', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const stateSync = (receipt: Json, index: number) =>
      index === 2 ? { ...receipt, from: zero, to: zero, gasUsed: '0x0' } : receipt;
    expect(() => check(polygon, answersOf(3, stateSync))).toThrow('is in the first of a sprint');
  });

  test('is excused on Polygon only, and only before it had a type', () => {
    expect(() => checkReal(hashes, complete, ethereum)).toThrow('5 receipts of 6 transactions');
    const { rules } = polygon;
    if (rules.family !== 'polygon') throw new Error('not Polygon');
    const later = { ...polygon, rules: { ...rules, stateSyncTypeFrom: 10_000_000 } };
    expect(() => checkReal(hashes, complete, later)).toThrow('5 receipts of 6 transactions');
  });
});

describe('answers', () => {
  test.each([
    'transactionHash',
    'transactionIndex',
    'blockHash',
    'blockNumber',
    'type',
    'from',
    'gasUsed',
    'cumulativeGasUsed',
    'status',
  ])('without a valid %s in a receipt are refused with its index', (field) => {
    const absent = field === 'status' ? [] : [undefined, null];
    for (const value of [...absent, 'ten', ' 0x1', {}, { valueOf: 0, toString: 0 }]) {
      expect(() => check(ethereum, withReceipt({ [field]: value }))).toThrow(
        expect.objectContaining({ name: 'ProofError', field: `receipts[1].${field}` }),
      );
    }
  });

  test.each(['number', 'hash', 'parentHash', 'timestamp', 'transactions'])(
    'without %s in the block are refused',
    (field) => {
      expect(() => check(ethereum, withBlock(answersOf(3), { [field]: undefined }))).toThrow(
        expect.objectContaining({ name: 'ProofError', field }),
      );
    },
  );

  test.each([
    ['miner', addressOf('miner').slice(1)],
    ['transactionsRoot', '0x12'],
    ['baseFeePerGas', '12'],
    ['timestamp', hex(253_402_300_800)],
  ])('with a malformed %s in the block are refused', (field, value) => {
    expect(() => check(ethereum, withBlock(answersOf(3), { [field]: value }))).toThrow(
      expect.objectContaining({ name: 'ProofError', field }),
    );
  });
});

interface Given {
  readonly chain?: ChainName;
  readonly baseFee?: bigint | undefined;
  /** Pays 2 wei for each of 21,000 gas unless given. */
  readonly receipt?: {
    readonly [Name in 'type' | 'gasUsed' | 'effectiveGasPrice' | 'blobGasPrice']?: Amount;
  };
  readonly offer?: { readonly [Name in 'gas' | 'gasPrice' | 'maxFeePerGas' | 'maxFeePerBlobGas']?: Amount };
}
type Amount = number | bigint | undefined;

const inHex = <T extends object>(given: T) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, hex(value)]])),
  );

/** Checks a transfer with a base fee of 2 wei unless given. */
function checkAmounts({ chain = 'ETHEREUM', receipt, offer = {}, ...given }: Given): void {
  const stated = { type: 0, gasUsed: 21_000, effectiveGasPrice: 2, ...receipt };
  const { type = '', gasUsed = '', ...prices } = inHex(stated);
  const baseFee = 'baseFee' in given ? given.baseFee : 2n;
  const header = { number: hex(30_000_000), ...inHex({ baseFeePerGas: baseFee }) };
  checkBounds(chainOf(chain).rules, header, { type, gasUsed, ...prices }, inHex(offer));
}

test.each([
  [{ offer: { gas: 20_999n } }, 'gasUsed 21000 is above the gas limit 20999'],
  [{ receipt: { effectiveGasPrice: 3n }, offer: { gasPrice: 2n } }, 'effectiveGasPrice 3 is above'],
  [
    { receipt: { type: 2, effectiveGasPrice: 10n }, offer: { maxFeePerGas: 9n } },
    'effectiveGasPrice 10 is above',
  ],
  [{ baseFee: 3n }, 'the base fee 3 is above effectiveGasPrice 2'],
  [
    { chain: 'ARBITRUM', receipt: { effectiveGasPrice: 3n }, offer: { gasPrice: 9n } },
    'effectiveGasPrice 3 is above',
  ],
  [
    { receipt: { type: 3, blobGasPrice: 5n }, offer: { maxFeePerBlobGas: 4n } },
    'blobGasPrice 5 is above the offer 4',
  ],
] satisfies [Given, string][])('refuses case %#, and names the bound', (given, problem) => {
  expect(() => checkAmounts(given)).toThrow(problem);
});

test('a price matters from one gas on', () => {
  const withGas = (gasUsed: number) => () =>
    checkAmounts({ receipt: { gasUsed, effectiveGasPrice: 9n }, offer: { gasPrice: 2n } });
  expect(withGas(0)).not.toThrow();
  expect(withGas(1)).toThrow('effectiveGasPrice 9 is above');
});

test.each(fullBlockNames(fullBlockFolders.small))('%s keeps all bounds', (name) => {
  const { chain, block, receipts } = readFullBlock(fullBlockFolders.small, name);
  const checked = checkBlock(chainOf(chain), decodeCheckedBlock(block), decodeCheckedReceipts(receipts));
  expect(checked).toHaveProperty('sums.totals.transactions', receipts.length);
});
