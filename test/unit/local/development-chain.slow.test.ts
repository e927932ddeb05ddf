import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { readBlock } from '#core/blocks/nodes/read-block.ts';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import type { SummedBlock } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { call } from '#core/rpc/json-rpc.ts';
import {
  type DevelopmentChain,
  developmentDefinition,
  startDevelopmentChain,
} from '#local/development-chain.ts';
import { createFolder } from '#test/support/folders.ts';
import { rpcTo, sourceOf } from '#test/support/nodes/source.ts';

const SCHEDULE = { firstDay: '2026-11-18', quietDays: 1 };
const nodes: ChildProcess[] = [];
const guard = (child: ChildProcess) => nodes.push(child);

const definitionOf = (name: ChainName) => developmentDefinition(chainOf(name), SCHEDULE.firstDay);
const start = (name: ChainName, file?: string) =>
  startDevelopmentChain(definitionOf(name), SCHEDULE, guard, file);

const folder = createFolder();
afterEach(() => {
  for (const node of nodes.splice(0)) node.kill();
});

const headerSchema = z.object({ hash: z.string(), timestamp: z.coerce.number() });

const headerAt = ({ endpoint }: DevelopmentChain, at: string) =>
  call(endpoint, 'eth_getBlockByNumber', [at, false], headerSchema.parse);
const latestHash = async (chain: DevelopmentChain) => (await headerAt(chain, 'latest')).hash;

const receiptSchema = z.object({ type: z.coerce.number(), status: z.string(), to: z.string().nullable() });

async function blockAt(source: AnchoredNetwork, number: number): Promise<SummedBlock> {
  const read = await readBlock(source, number);
  if (read.kind === 'fetched') return read.value;
  throw new Error(read.reason);
}

/** Returns all receipts of finalized blocks, and the blocks as the ingest reads them, without the empty genesis. */
async function readAll(name: ChainName, { endpoint }: DevelopmentChain) {
  const source = await sourceOf(definitionOf(name), [endpoint]);
  const numbers = Array.from({ length: source.anchor.number }, (_, index) => index + 1);
  const receipts = numbers.map((number) =>
    call(endpoint, 'eth_getBlockReceipts', [`0x${number.toString(16)}`], z.array(receiptSchema).parse),
  );
  return {
    receipts: (await Promise.all(receipts)).flat(),
    blocks: await Promise.all(numbers.map((number) => blockAt(source, number))),
  };
}

test('resumes a saved chain, with the same blocks as one that is mined in one step', async () => {
  const file = join(folder, 'BASE.blocks');
  const ends = ['2026-11-19T00:00:20Z', '2026-11-19T10:00:00Z', '2026-11-20T12:00:00Z'] as const;
  const hashes: string[] = [];
  for (const end of ends) {
    const resumed = await start('BASE', file);
    hashes.push(await latestHash(resumed));
    await resumed.mineUntil(new Date(end));
    hashes.push(await latestHash(resumed));
  }
  const [genesis, first, , second] = hashes;
  expect(hashes.slice(0, 5)).toEqual([genesis, first, first, second, second]);
  const atOnce = await start('BASE');
  await atOnce.mineUntil(new Date(ends[2]));
  expect(hashes.at(-1)).toBe(await latestHash(atOnce));
});

test('has a block every 30 seconds for an hour after the first start, and then every 15 minutes', async () => {
  const liveFrom = startOfDay('2026-11-19') + 40_000;
  const live = await startDevelopmentChain(definitionOf('BASE'), { ...SCHEDULE, liveFrom }, guard);
  const timesUntil = async (seconds: number) => {
    await live.mineUntil(new Date((liveFrom + seconds) * 1_000));
    const last = await rpcTo(live.endpoint)('eth_blockNumber', [], (value) => Number(value));
    const numbers = Array.from({ length: last }, (_, index) => `0x${(index + 1).toString(16)}`);
    return Promise.all(numbers.map(async (at) => (await headerAt(live, at)).timestamp - liveFrom));
  };
  // The day of the first start has its usual blocks until then.
  expect((await timesUntil(61)).slice(-4)).toEqual([-39_964, -10_000, 30, 60]);
  expect((await timesUntil(3_600 + 1_800)).slice(-3)).toEqual([3_600, 4_500, 5_400]);
});

test('starts with days of one block, and then has blocks from the first second to the last', async () => {
  const development = await start('POLYGON');
  await development.mineUntil(new Date('2026-11-20T00:00:00Z'));
  const source = await sourceOf(chainOf('POLYGON'), [development.endpoint]);
  const numbers = Array.from({ length: source.anchor.number }, (_, index) => index + 1);
  const times = await Promise.all(
    numbers.map(async (number) => {
      const { timestamp } = await headerAt(development, `0x${number.toString(16)}`);
      return timestamp - startOfDay('2026-11-18');
    }),
  );
  expect(times.slice(0, 5)).toEqual([43_200, 86_400, 86_412, 86_412, 86_436]);
  expect(times.filter((time) => time >= 86_400).length).toBeGreaterThan(6);
});

test('begins with the first block that is proven, also by the rules of the real chain', async () => {
  const { endpoint, mineUntil } = await startDevelopmentChain(chainOf('OPTIMISM'), SCHEDULE, guard);
  await mineUntil(new Date('2026-11-18T01:00:00Z'));
  const genesis = z.object({ number: z.coerce.number() });
  const { number } = await call(endpoint, 'eth_getBlockByNumber', ['earliest', false], genesis.parse);
  expect(number).toBe(105_235_063);
});

/** Transactions beyond transfers, contract calls and creations, by family. */
const extras = {
  ethereum: { types: [3], protocolTransactions: 0 },
  bsc: { types: [], protocolTransactions: 1 },
  'op-stack': { types: [0x7e], protocolTransactions: 1 },
  arbitrum: { types: [], protocolTransactions: 0 },
  polygon: { types: [], protocolTransactions: 0 },
};

/** One chain of each family. */
const examples = chainNames.filter((name, index) => {
  const familyOf = (one: ChainName) => chainOf(one).rules.family;
  return chainNames.findIndex((one) => familyOf(one) === familyOf(name)) === index;
});

test.each(examples)(
  '%s has transactions of all types, and the ingest proves all its blocks',
  async (name) => {
    const development = await start(name);
    await development.mineUntil(new Date('2026-11-20T01:00:00Z'));
    const { receipts, blocks } = await readAll(name, development);
    const { types, protocolTransactions } = extras[chainOf(name).rules.family];

    expect(new Set(receipts.map(({ type }) => type))).toEqual(new Set([0, 1, 2, ...types]));
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['0x0', '0x1']));
    expect(receipts.some(({ to }) => to === null)).toBe(true);
    expect(blocks.filter(({ isProven }) => !isProven)).toEqual([]);
    expect(blocks.some(({ totals }) => totals.transactions === protocolTransactions)).toBe(true);
    expect(new Set(blocks.map(({ totals }) => totals.protocolTransactions))).toEqual(
      new Set([protocolTransactions]),
    );
  },
);
