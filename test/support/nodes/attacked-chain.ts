import type { ChainName } from '#core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '#core/figures/calendar.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { queryDays } from '#core/store/days/days.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { hex, type RawBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, reseal, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import { type GivenRun, runIngest } from '#test/support/processes/run-ingest.ts';
import type { Answer, Call } from './json-rpc-server.ts';
import { startNodes } from './several-nodes.ts';

/* A chain of three complete days to attack, and runs of the ingest from honest nodes and liars. */

export type Blocks = readonly RawBlock[];

/** Genesis the day before; three complete days; two blocks of the day under way. */
export const times = [
  at(-1, 80_000),
  ...[at(0, 0), at(0, 12), at(0, 86_399)],
  ...[at(1, 5), at(1, 40_000), at(1, 80_000)],
  ...[at(2, 10), at(2, 50_000)],
  ...[at(3, 0), at(3, 12)],
];
export const blocks = sampleChain(times);
export const HEAD = blocks.length - 1;
export const days = [DAY, addDays(DAY, 1), addDays(DAY, 2)];

/** A chain of the same times with other blocks from `number` on. */
export const forkFrom = (number: number): Blocks =>
  reseal(blocks, number, (block) => withTime(block, Number(block.header.timestamp), 'fork'));

export function withTime(block: RawBlock, timestamp: number, extra = 'moved'): RawBlock {
  const extraData = `0x${Buffer.from(extra).toString('hex')}`;
  return withHeader(block, { timestamp: hex(timestamp), extraData });
}

export const honest = answerFrom(blocks);
export const isHeader = ({ method, params: [, isFull] }: Call) =>
  method === 'eth_getBlockByNumber' && isFull === false;
export const isNumbered = ({ params: [block] }: Call) => typeof block === 'string' && block.startsWith('0x');

/** Returns a fast clock that begins at a time, in seconds. */
export const clockAt = (seconds: number) => fastClock(1_000, seconds * 1_000);

/** Runs the ingest once from nodes, in their order. */
export async function ingestFrom(
  table: Table,
  answers: readonly Answer[],
  given: GivenRun = {},
): Promise<IngestReport> {
  await using started = await startNodes(answers);
  return await runIngest(table, started.nodes, given);
}

/** Returns the hash of the last block of each final day. */
export async function publishedIn(
  table: Table,
  chain: ChainName = 'ETHEREUM',
): Promise<readonly (readonly [UtcDay, string])[]> {
  const final = await queryDays(chainStore(table, chain), '0000-01-01', '9999-12-31');
  return final.map(({ day, last }) => [day, last.hash]);
}

/** The same of the true chain. */
export const trueDays = (of: readonly UtcDay[] = days) =>
  of.map((day) => [
    day,
    blocks.findLast(({ header }) => dayOf(Number(header.timestamp)) <= day)?.header.hash,
  ]);
