import { compare } from './compare.ts';
import { TRANSACTIONS } from './node/chain.ts';
import { openNode } from './node/node.ts';
import { limited, type Ratio, timesAsFast } from './report.ts';

const BLOCKS = 64;

/** Compares the proof of a real block from era files with the ingest of its JSON, and with hashing the same bytes once. */
export async function eraBench(): Promise<Ratio[]> {
  console.error('era: proving files, and reading the same blocks as JSON, alternately');
  const chain = 'ETHEREUM';
  await using node = await openNode({ chain, transactions: TRANSACTIONS });
  const { json, ...times } = await compare(BLOCKS, {
    json: ['ours', { url: node.url }],
    era1: ['files', { format: 'era1', chain }],
    ere: ['files', { format: 'ere', chain }],
    era1Hashed: ['files', { format: 'era1', chain, isHashed: true }],
    ereHashed: ['files', { format: 'ere', chain, isHashed: true }],
  });
  const rows = (format: 'era1' | 'ere') => {
    const file = `${format} file with all proofs; baseline:`;
    return [
      timesAsFast(`${file} the same blocks as JSON-RPC`, times[format], json, 2),
      timesAsFast(
        `${file} decompression and one hash over each entry`,
        times[format],
        times[`${format}Hashed`],
        0.5,
      ),
    ];
  };
  return [...rows('era1'), ...rows('ere'), ...historyFrom(times.ere)];
}

/** Transactions of Ethereum since 2015, rounded up: an assumption. */
const TRANSACTIONS_SINCE_2015 = 3.4e9;
const WORKERS = 100;
/** Lambda is assumed to be this many times as slow as this machine; dollars an hour of the ingest function: docs/operate/cost.md. */
const SLOWER = 4;
const PRICE_PER_HOUR = 0.083;

function historyFrom(millisecondsPerBlock: number): Ratio[] {
  const blocks = TRANSACTIONS_SINCE_2015 / TRANSACTIONS;
  const hours = (SLOWER * blocks * millisecondsPerBlock) / 3_600_000;
  const [minutes, dollars] = [(60 * hours) / WORKERS, hours * PRICE_PER_HOUR];
  const what = 'from ere files';
  return [
    limited(
      `All of Ethereum since 2015 ${what} on ${WORKERS} workers, calculated; baseline: goal`,
      minutes,
      60,
      (value) => `${value.toFixed(0)} minutes`,
    ),
    limited(
      `Lambda for all of Ethereum since 2015 ${what}, calculated; baseline: goal`,
      dollars,
      10,
      (value) => `$${value.toFixed(2)}`,
    ),
  ];
}

/** A chain for each client whose freezer is proven. */
const clients = { ETHEREUM: 'geth', BSC: 'bsc', POLYGON: 'bor', BASE: 'op-geth', ARBITRUM: 'nitro' } as const;

/** Compares the proof of blocks from a freezer of each client with hashing the same bytes once. */
export async function freezerBench(): Promise<Ratio[]> {
  console.error(
    'freezer: proving blocks from the files of each client, and hashing their bytes once, alternately',
  );
  const ratios: Ratio[] = [];
  for (const chain of Object.keys(clients) as (keyof typeof clients)[]) {
    const { ours, hashed } = await compare(BLOCKS, {
      ours: ['files', { format: 'freezer', chain }],
      hashed: ['files', { format: 'freezer', chain, isHashed: true }],
    });
    const what = `freezer of ${clients[chain]} with all proofs; baseline: decompression and one hash over each item`;
    ratios.push(timesAsFast(what, ours, hashed, 0.28));
  }
  return ratios;
}
