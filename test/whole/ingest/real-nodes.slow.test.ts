import { type Chain, chainOf } from '#core/chains/chains.ts';
import { readAggregator } from '#core/dollars/read-aggregator.ts';
import type { ValidBlock } from '#core/figures/block.ts';
import { dayOf } from '#core/figures/calendar.ts';
import { dollarsOfAmount, joinDollars, noDollars } from '#core/figures/dollars.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import type { Totals } from '#core/figures/totals.ts';
import { excessProblem } from '#core/proof/prices/eip4844.ts';
import {
  type RecordedBlock,
  readBlockFile,
  readBlocks,
  readOsakaBlocks,
  readOtherJson,
  readText,
  withRaw,
} from '#test/support/generators/chains/real-nodes.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import { figuresOf, readRecordedBlocks, totalsByDay } from '#test/support/nodes/recorded-node.ts';

/* Blocks of real clients on private networks must give the totals that other code summed from their receipts. */

/** Reads blocks as JSON and as RLP, which must give the same, and checks that they follow each other. */
async function readBoth(chain: Chain, blocks: readonly RecordedBlock[]): Promise<readonly ValidBlock[]> {
  const read = await readRecordedBlocks(chain, blocks, 'JSON');
  const raw = blocks.map((block) => withRaw(chain, block));
  expect(await readRecordedBlocks(chain, raw, 'RLP')).toEqual(read.map(figuresOf));
  expectLinks(chain, read);
  return read;
}

function expectLinks({ rules }: Chain, blocks: readonly ValidBlock[]): void {
  for (const block of blocks) {
    const parent = blocks.find(({ number }) => number === block.number - 1);
    if (!parent) continue;
    expect(block.parentHash).toBe(parent.hash);
    expect(excessProblem(rules, parent, block)).toBeUndefined();
  }
}

/** Totals with amounts of 0 where nothing else is given. */
interface Given {
  readonly [name: string]: string | number | undefined;
}

const totals = (given: Given): Totals => {
  const of = (name: string) => BigInt(given[name] ?? 0);
  return {
    blocks: Number(of('blocks')),
    transactions: Number(given.tx ?? given.transactions),
    protocolTransactions: Number(of('protocol')),
    fees: {
      execution: of('execution'),
      l1Data: of('l1'),
      operator: of('operator'),
      blob: of('blob'),
      retryableDoubleCount: of('retryables'),
    },
    measures: {
      gasUsed: of('gas'),
      failedTransactions: of('failed'),
      priorityFees: of('priority'),
      blobs: of('blobs'),
    },
  };
};

type Days = Readonly<Record<string, Given>>;

/** Upgrade deposits are the protocol's too. The program that summed the receipts counted some of them as a user's. */
const PROTOCOL: Readonly<Record<string, number>> = {
  'base 2024-03-14': 11,
  'base 2024-07-10': 10,
  'base 2025-05-09': 15,
  'base 2025-12-02': 12,
  'op 2026-07-08': 38,
};

test.each([
  ['BASE', 'base', 'base', 13],
  ['BASE', 'base-raw-jovian-day', 'base', 1],
  ['OPTIMISM', 'optimism-karst', 'op', 1],
  // The first of five days that the network ran for, and one block of the second.
  ['UNICHAIN', 'unichain-start', 'unichain', 1],
] as const)(
  "op-geth's blocks of %s in the file %s give the totals of each complete day",
  async (name, file, sums, count) => {
    const read = totalsByDay(await readBoth(chainOf(name), readBlocks(`op-stack/${file}.json.gz`)));
    const expected = readOtherJson<Days>(`op-stack/${sums}.sum.json`);
    const complete = Object.entries(read).filter(([day, { blocks }]) => blocks === expected[day]?.blocks);
    expect(complete).toHaveLength(count);
    for (const [day, sum] of complete) {
      const protocol = PROTOCOL[`${sums} ${day}`] ?? expected[day]?.protocol;
      expect([day, sum]).toEqual([day, totals({ ...expected[day], protocol })]);
    }
  },
);

describe("Nitro's blocks", () => {
  const chain = chainOf('ARBITRUM_NOVA');

  test('of ArbOS 10 to 51 give what was paid on each day', async () => {
    const read = await readBoth(chain, readBlocks('arbitrum/nova-arbos10-51.json.gz'));
    const sums = readOtherJson<Days>('arbitrum/nova.sum.json');
    const paid = readOtherJson<Days>('arbitrum/nova.paid.json');
    const expected = Object.entries(sums).map(([day, sum]) => {
      const execution = BigInt(paid[day]?.fees_paid ?? 0);
      // What receipts state: the one who submits or redeems a retryable has paid the gas of its redeem too.
      const stated = BigInt(sum.execution ?? 0) + BigInt(sum.double ?? 0);
      return [day, totals({ ...sum, execution: `${execution}`, retryables: `${stated - execution}` })];
    });
    expect(Object.entries(totalsByDay(read))).toEqual(expected);
  });

  test('give what the balance of an account says that it paid to redeem a retryable by hand', async () => {
    const blocks = readBlocks('arbitrum/nova-arbos10-51.json.gz').filter(({ number }) => number === 11);
    const [block] = await readBoth(chain, blocks);
    expect(block && totalFees(block.totals.fees)).toBe(126_363_700_000_000n);
  });

  test('of ArbOS 60 are proven until tips are collected, and refused then', async () => {
    const blocks = readBlocks('arbitrum/nova-arbos60-multigas-tips.json.gz');
    const withoutTips = blocks.filter(({ number }) => number < 64);
    const { '2024-09-01': day, ...others } = totalsByDay(await readBoth(chain, withoutTips));
    expect(others).toEqual({});
    const { '2024-09-01': sum } = readOtherJson<Days>('arbitrum/n60.sum.json');
    // Gas used × base fee, less gas limit × base fee of each redeem, by other code.
    const execution = 29_294_865_419_870_000n;
    const stated = BigInt(sum?.execution ?? 0) + BigInt(sum?.double ?? 0);
    expect(day).toEqual(totals({ ...sum, execution: `${execution}`, retryables: `${stated - execution}` }));
    // Block 67 has a retryable alone, which pays no tip.
    const tipping = blocks.filter(({ number }) => number >= 64 && number !== 67);
    expect(tipping).toHaveLength(5);
    for (const block of tipping) {
      await expect(readBoth(chain, [block])).rejects.toThrow(`block ${block.number}: mixHash: `);
      await expect(readRecordedBlocks(chain, [withRaw(chain, block)], 'RLP')).rejects.toThrow(
        'collects tips',
      );
    }
  });
});

describe("geth's blocks under Osaka's rules", () => {
  const chain = chainOf('ETHEREUM');

  test('give the totals of each day as RLP', async () => {
    const read = await readRecordedBlocks(chain, readOsakaBlocks(), 'RLP');
    expectLinks(chain, read);
    const expected = readOtherJson<readonly Given[]>('ethereum/osaka-totals.json');
    expect(Object.entries(totalsByDay(read))).toEqual(expected.map((sum) => [sum.day, totals(sum)]));
    const lastOfDays = expected.map(({ last }) => read.find(({ number }) => number === last)?.hash);
    expect(lastOfDays).toEqual(expected.map(({ lastHash }) => lastHash));
  });

  const [proof, ...json] = readOtherJson<readonly Recorded[]>('ethereum/osaka-json.json.gz').toReversed();

  test('give the same as JSON', async () => {
    const blocks = readOsakaBlocks().flatMap((one) => {
      const { block, receipts } = json.find(({ number }) => number === one.number) ?? {};
      return block && receipts ? [{ ...one, json: { block, receipts } }] : [];
    });
    expect(blocks).toHaveLength(3);
    for (const block of await readBoth(chain, blocks)) expect(block.isProven).toBe(true);
  });

  async function aggregatorAt255(): Promise<string> {
    const { header, proof: slot } = proof ?? {};
    using hosts = serveAnswers([({ method }) => ({ result: method === 'eth_getProof' ? slot : header })], {
      chain,
    });
    const read = await readAggregator(hosts, { number: 255, hash: header?.hash ?? '' });
    expect(read?.reading).toMatchObject({ number: 255, hash: header?.hash, evidence: 'proven' });
    return read?.reading.aggregator ?? '';
  }

  test('are priced by the feed whose aggregator the proof of its proxy names', async () => {
    const feed = { aggregator: await aggregatorAt255(), maxAge: 7_200 };
    const days: Record<string, bigint> = {};
    let sums = noDollars(feed);
    for (const { timestamp, dollars } of await readRecordedBlocks(chain, readOsakaBlocks(), 'RLP', feed)) {
      const before = sums.priced;
      sums = joinDollars(sums, dollars ?? sums);
      const day = dayOf(timestamp);
      days[day] = (days[day] ?? 0n) + sums.priced - before;
    }
    expect(sums.doubt).toBeUndefined();
    const expected = readText('ethereum/osaka-usd.txt').trim().split('\n');
    expect(Object.entries(days)).toEqual(
      expected.map((line) => line.split(' ')).map(([day, usd = '']) => [day, dollarsOfAmount(usd)]),
    );
  });
});

/** Sums a block as its receipts state it. */
function statedTotals({ json }: RecordedBlock): Totals {
  const sum = (of: (receipt: Receipt) => bigint) =>
    ((json?.receipts ?? []) as readonly Receipt[]).reduce((total, receipt) => total + of(receipt), 0n);
  const gas = ({ gasUsed }: Receipt) => BigInt(gasUsed);
  const execution = sum((receipt) => gas(receipt) * BigInt(receipt.effectiveGasPrice));
  const bodies = json?.block.transactions as readonly Readonly<Record<'from' | 'gasPrice', string>>[];
  const burned = sum(gas) * BigInt(String(json?.block.baseFeePerGas));
  return totals({
    blocks: 1,
    transactions: json?.receipts.length,
    // Of BSC: the miner calls system contracts at no price.
    protocol: bodies.filter(({ from, gasPrice }) => from === json?.block.miner && gasPrice === '0x0').length,
    execution: `${execution}`,
    blob: `${sum(({ blobGasUsed = 0, blobGasPrice = 0 }) => BigInt(blobGasUsed) * BigInt(blobGasPrice))}`,
    gas: `${sum(gas)}`,
    failed: `${sum(({ status }) => BigInt(status === '0x0'))}`,
    priority: `${execution - burned}`,
    blobs: `${sum(({ blobGasUsed = 0 }) => BigInt(blobGasUsed) / 131_072n)}`,
  });
}

type Receipt = Readonly<Record<'gasUsed' | 'effectiveGasPrice' | 'status', string>> &
  Partial<Readonly<Record<'blobGasUsed' | 'blobGasPrice', string>>>;

test.each([
  ['BSC', [0, 1, 4, 5, 200, 490, 525, 545, 713, 1000, 1001, 1151, 1152, 1200, 1201, 1202, 1203]],
  ['POLYGON', [0, 1, 2, 28, 29, 63, 64, 65]],
] as const)('blocks of %s have the totals that their receipts state', async (name, numbers) => {
  const blocks = numbers.map((number) => readBlockFile(name.toLowerCase(), number));
  const read = await readBoth(chainOf(name), blocks);
  expect(read.map((block) => block.totals)).toEqual(blocks.map(statedTotals));
});

test('the two blocks of Polygon that have transactions on a day give its totals', async () => {
  const read = await readBoth(
    chainOf('POLYGON'),
    [29, 63, 64, 65].map((number) => readBlockFile('polygon', number)),
  );
  const { '2026-11-24': day } = readOtherJson<Days>('polygon/totals.json');
  const named = { ...day, tx: day?.txs, execution: day?.exec, protocol: day?.sys, priority: day?.tips };
  expect(totalsByDay(read)['2026-11-24']).toEqual(totals({ ...named, blocks: 4 }));
});

interface Recorded {
  readonly number: number;
  readonly block?: Readonly<Record<string, unknown>>;
  readonly receipts?: readonly Readonly<Record<string, string>>[];
  /** The header of a block with a proof of a slot in the storage of the feed's proxy. */
  readonly header?: { readonly hash: string };
  readonly proof?: unknown;
}
