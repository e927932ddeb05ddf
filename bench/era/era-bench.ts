import { openNode } from '../ingest/node/open.ts';
import { knownBlock, openReading, repeatAll, TRANSACTIONS } from '../ingest/reading.ts';
import type { Ratio } from '../ratio.ts';

const BLOCKS = 64;

const rate = (milliseconds: number): string =>
  `${Math.round(1_000 / milliseconds)} blocks/s (${milliseconds.toFixed(2)} ms per block)`;

/** Compares the proof of a real block from era files with the ingest of its JSON, and with hashing the same bytes once. */
export async function eraBench(): Promise<Ratio[]> {
  console.error('era: proving files, and reading the same blocks as JSON, alternately');
  const { found } = await knownBlock();
  const hashed = { transactions: found.transactions, fees: 0n };
  await using node = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const of = { url: node.url, blocks: BLOCKS };
  await using json = await openReading({ reader: 'ours', ...of }, found);
  await using era1 = await openReading({ reader: 'era1', ...of }, found);
  await using ere = await openReading({ reader: 'ere', ...of }, found);
  await using era1Hashed = await openReading({ reader: 'era1 hashed', ...of }, hashed);
  await using ereHashed = await openReading({ reader: 'ere hashed', ...of }, hashed);
  await repeatAll([json, era1, ere, era1Hashed, ereHashed]);
  const rows = (format: string, ours: typeof era1, baseline: typeof era1): Ratio[] => [
    {
      what: `${format} file with all proofs; baseline: the same blocks as JSON-RPC`,
      ours: rate(ours.milliseconds()),
      other: rate(json.milliseconds()),
      ratio: json.milliseconds() / ours.milliseconds(),
      bound: { atLeast: 2 },
    },
    {
      what: `${format} file with all proofs; baseline: decompression and one hash over each entry`,
      ours: rate(ours.milliseconds()),
      other: rate(baseline.milliseconds()),
      ratio: baseline.milliseconds() / ours.milliseconds(),
      bound: { atLeast: 0.5 },
    },
  ];
  return [
    ...rows('era1', era1, era1Hashed),
    ...rows('ere', ere, ereHashed),
    ...historyOn(WORKERS, ere.milliseconds()),
  ];
}

/** Transactions of Ethereum since 2015, rounded up: an assumption. */
const TRANSACTIONS_SINCE_2015 = 3.4e9;
const WORKERS = 100;
/** Lambda is assumed to be this many times as slow as this machine; dollars an hour of the ingest function: docs/cost.md. */
const SLOWER = 3;
const PRICE_PER_HOUR = 0.083;

/** Calculates what a backfill of Ethereum from ere files takes. */
function historyOn(workers: number, millisecondsPerBlock: number): Ratio[] {
  const blocks = TRANSACTIONS_SINCE_2015 / TRANSACTIONS;
  const hours = (SLOWER * blocks * millisecondsPerBlock) / 3_600_000;
  const minutes = (60 * hours) / workers;
  const dollars = hours * PRICE_PER_HOUR;
  return [
    {
      what: `All of Ethereum since 2015 from ere files on ${workers} workers, calculated; baseline: goal`,
      ours: `${minutes.toFixed(0)} minutes`,
      other: '60 minutes',
      ratio: minutes / 60,
      bound: { atMost: 1 },
    },
    {
      what: 'Lambda for all of Ethereum since 2015 from ere files, calculated; baseline: goal',
      ours: `$${dollars.toFixed(2)}`,
      other: '$10',
      ratio: dollars / 10,
      bound: { atMost: 1 },
    },
  ];
}
