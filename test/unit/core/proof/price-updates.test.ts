import { readFileSync } from 'node:fs';
import { chainOf } from '#core/chains/chains.ts';
import { bloomOf } from '#core/proof/encoding/bloom.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { Log } from '#core/proof/json/rpc-types.ts';
import { ANSWER_UPDATED, NEW_TRANSMISSIONS, updatesIn } from '#core/proof/price-updates.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { Proof } from '#core/proof/proven-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { createReceiptHasher } from '#core/proof/receipts.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import {
  type Json,
  type RawBlock,
  sealBlock,
  type UnsealedBlock,
} from '#test/support/generators/blocks/seal.ts';

interface Recorded {
  readonly timestamp: number;
  readonly feeds: Readonly<
    Record<
      string,
      { readonly decoded: { answer: string; aggregatorRound: string }; readonly logs: readonly Log[] }
    >
  >;
}

const recorded = (name: string) => {
  const { timestamp, feeds } = JSON.parse(
    readFileSync(`test/fixtures/prices/${name}.json`, 'utf8'),
  ) as Recorded;
  const [[aggregator, feed] = []] = Object.entries(feeds);
  if (!aggregator || !feed) throw new Error(`${name} has no feed`);
  return { timestamp, aggregator, ...feed };
};

test.each([
  ['polygon-40000000-matic-usd', 114_212_643n, 4_460_320n],
  ['optimism-107353722-ocr1', 708_727n, 19_862n],
])('reads the price of the recorded block %s', (name, answer, round) => {
  const { timestamp, aggregator, logs } = recorded(name);
  expect(updatesIn([[], logs], aggregator, timestamp)).toEqual({
    updates: [{ answer, round, updatedAt: timestamp }],
    doubt: undefined,
  });
  expect(updatesIn([logs], aggregator.toUpperCase().replace('0X', '0x'), timestamp).updates).toHaveLength(1);
});

describe('doubts a price', () => {
  const { timestamp, aggregator, logs } = recorded('polygon-40000000-matic-usd');
  const changed = (topic: string, change: (log: Log) => Log) =>
    logs.map((log) => (log.topics[0] === topic ? change(log) : log));
  const word = (value: bigint) => `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`;
  const withTopic = (at: number, value: bigint) => (log: Log) => ({
    ...log,
    topics: log.topics.with(at, word(value)),
  });

  test.each([
    ['of 0', changed(ANSWER_UPDATED, withTopic(1, 0n)), 'is 0'],
    ['below 0', changed(ANSWER_UPDATED, withTopic(1, -5n)), 'is -5'],
    [
      'of another time',
      changed(ANSWER_UPDATED, (log) => ({ ...log, data: word(7n) })),
      'is of 7, and its block',
    ],
    ['that was not transmitted', changed(ANSWER_UPDATED, withTopic(1, 9n)), 'has the price 9'],
    [
      'whose round was not transmitted',
      changed(NEW_TRANSMISSIONS[0] ?? '', withTopic(1, 1n)),
      'invalid: no transmission of round 4460320',
    ],
  ])('%s', (_, given, reason) => {
    expect(updatesIn([given], aggregator, timestamp).doubt).toContain(reason);
  });

  test.each([
    ['upper case', (topic: string) => topic.toUpperCase().replace('X', 'x')],
    ['0X', (topic: string) => topic.replace('0x', '0X')],
  ])('and finds it though its topics are spelled with %s, under the same hash', (_, spell) => {
    const spelled = (all: readonly Log[]) => all.map((log) => ({ ...log, topics: log.topics.map(spell) }));
    expect(updatesIn([spelled(logs)], aggregator, timestamp)).toEqual(
      updatesIn([logs], aggregator, timestamp),
    );
    const wrong = changed(NEW_TRANSMISSIONS[0] ?? '', withTopic(1, 1n));
    expect(updatesIn([spelled(wrong)], aggregator, timestamp).doubt).toContain('no transmission');
  });

  test('and not one of an aggregator that transmits nothing', () => {
    const alone = logs.filter(({ topics }) => topics[0] === ANSWER_UPDATED);
    expect(updatesIn([alone], aggregator, timestamp)).toMatchObject({ updates: [{}], doubt: undefined });
  });

  test('and not one of the smallest unit', () => {
    const alone = changed(ANSWER_UPDATED, withTopic(1, 1n)).filter(
      ({ topics }) => topics[0] === ANSWER_UPDATED,
    );
    const expected = { updates: [{ answer: 1n }], doubt: undefined };
    expect(updatesIn([alone], aggregator, timestamp)).toMatchObject(expected);
  });

  test('and ignores events of another form', () => {
    const other = changed(ANSWER_UPDATED, (log) => ({ ...log, topics: log.topics.slice(0, 2) }));
    expect(updatesIn([other], aggregator, timestamp).updates).toEqual([]);
  });
});

describe('in a whole block', () => {
  const { aggregator, logs } = recorded('polygon-40000000-matic-usd');
  const full = readFullBlock(fullBlockFolders.small, 'ETHEREUM-13998626.json');
  const chain = chainOf('ETHEREUM');
  const { timestamp } = full.block as { timestamp: string };
  const updatedAt = `0x${BigInt(timestamp).toString(16).padStart(64, '0')}`;
  const own = logs.map((log) => (log.topics[0] === ANSWER_UPDATED ? { ...log, data: updatedAt } : log));

  /** The block with the feed's logs in its first receipt, and a bloom of everything or of nothing. */
  function blockWith(bloom: 'ff' | '00') {
    const { transactions, ...header } = full.block as { transactions: Json[] } & UnsealedBlock['header'];
    const receipts = (full.receipts as Json[]).map((receipt, index) => {
      const all = index === 0 ? [...(receipt.logs as Log[]), ...own] : (receipt.logs as Log[]);
      return { ...receipt, logs: all, logsBloom: bloomOf(all) };
    });
    return sealBlock(chain, {
      header: { ...header, logsBloom: `0x${bloom.repeat(256)}` },
      transactions,
      receipts,
    });
  }
  const answersOf = ({ header, transactions, receipts }: RawBlock) =>
    [decodeBlock({ ...header, transactions }), decodeReceipts(structuredClone(receipts))] as const;
  const dollarsIn = (proof: Proof) => ('sums' in proof ? proof.sums.dollars : proof.refused);
  const expected = {
    updates: 1,
    first: { answer: 114_212_643n, round: 4_460_320n, updatedAt: Number(timestamp) },
  };

  const feed = { aggregator, maxAge: chain.priceFeed?.maxAge ?? 0 };

  test('JSON, JSON that is hashed as it comes, and RLP give the same prices', () => {
    const sealed = blockWith('ff');
    const [block, receipts] = answersOf(sealed);
    const whole = dollarsIn(proveBlock(chain, block, receipts, feed));
    expect(whole).toMatchObject(expected);
    const types = block.transactions.map(({ type }) => Number(type ?? 0));
    const hash = createReceiptHasher(chain.rules, block, types, aggregator);
    const streamed = sealed.receipts.map((receipt, index) => hash(structuredClone(receipt), index));
    expect(dollarsIn(proveBlock(chain, block, decodeReceipts(streamed), feed))).toEqual(whole);
    expect(dollarsIn(proveRawBlock(chain, bytesOf(chain, sealed), feed))).toEqual(whole);
  });

  test('logs are searched only where the bloom may contain the aggregator, and for nothing without one', () => {
    const [block, receipts] = answersOf(blockWith('00'));
    expect(dollarsIn(proveBlock(chain, block, receipts, feed))).toMatchObject({ updates: 0 });
    expect(dollarsIn(proveRawBlock(chain, bytesOf(chain, blockWith('00')), feed))).toMatchObject({
      updates: 0,
    });
    expect(dollarsIn(proveBlock(chain, block, receipts))).toBeUndefined();
  });
});
