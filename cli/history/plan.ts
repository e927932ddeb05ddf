import { type ArchiveName, archiveNames, archiveQuery } from '../../core/archive/query.ts';
import type { Chain } from '../../core/chains/chains.ts';
import { firstProvable } from '../../core/chains/provable.ts';
import { addDays, countDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import { getCoverage } from '../../core/store/chain/coverage.ts';
import { getDay } from '../../core/store/days/days.ts';
import { CALLS_PER_BLOCK, evenlySpaced, readSample } from '../backfill/plan.ts';
import { openSource, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { formatDuration, formatTable, printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';

/** One way to get the days before the first stored one. */
interface Way {
  readonly chain: string;
  readonly days: number;
  readonly way: string;
  readonly calls: number;
  /** Undefined if it takes no calls, or if the nodes do not have the blocks. */
  readonly seconds?: number | undefined;
  readonly money: string;
}

/** The default of `history import`, and the blocks of a range of our queries. */
const AUDITED_BLOCKS = 300 * 1_000;
const SAMPLE = 8;

const FILES: Record<Chain['rules']['family'], string> = {
  ethereum: 'proven, era files',
  bsc: 'proven, block files',
  'op-stack': 'proven, files of your node',
  arbitrum: 'proven, files of your node',
  polygon: 'proven, files of your node',
};

/** Lists the ways to the days before the first stored one, with the speed of the stage's nodes now. */
export async function planHistory(served: ServedChain): Promise<Way[]> {
  const { chain, store } = served;
  const { summary } = (await getCoverage(store)) ?? {};
  const firsts = Object.values(summary?.byEvidence ?? {}).map(({ first }) => first);
  const firstStored = firsts.toSorted()[0] ?? dayOf(Date.now() / 1_000);
  const days = Math.max(0, countDays(chain.firstDay, addDays(firstStored, -1)));
  const upstreams = await upstreamsOf(served, undefined);
  const source = await openSource(served, upstreams, requestContext(interrupted));
  const end = (await getDay(store, firstStored))?.first?.number ?? source.anchor.number;
  const begin = firstProvable(chain.rules);
  const numbers = evenlySpaced(begin, Math.max(begin, end - 1), SAMPLE);
  const sample = await readSample(source, numbers, () => {}).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    printNote(`${chain.name}: no speed, because the nodes do not have old blocks.`);
    return undefined;
  });
  const blocks = Math.max(0, end - begin);
  const wayOf = (way: string, read: number, money: string): Way => ({
    ...{ chain: chain.name, days, way, calls: read * CALLS_PER_BLOCK, money },
    seconds: sample && (read * sample.seconds) / sample.blocks,
  });
  // Two headers a day, and the ranges.
  const audited = Math.min(blocks, AUDITED_BLOCKS) + days * 2;
  const archives = archiveNames.filter(
    (name) => name !== 'duckdb' && archiveQuery(chain, name, '2024-01-01', '2024-01-31'),
  );
  return [
    { chain: chain.name, days, way: FILES[chain.rules.family], calls: days * 10, money: 'docs/history.md' },
    wayOf('proven, nodes', blocks, 'calls'),
    ...archives.map((name) =>
      wayOf(
        `audited, ${name}`,
        audited,
        name === 'dune' ? 'credits, and calls' : '$0 to $3 a year of days, and calls',
      ),
    ),
  ];
}

export const showWays = (ways: readonly Way[]): string =>
  formatTable(
    ['chain', 'days', 'way', 'calls', 'time', 'money'],
    ways.map((way) => [
      ...[way.chain, way.days, way.way, way.calls],
      way.seconds === undefined ? '' : formatDuration(way.seconds),
      way.money,
    ]),
  );

/** @throws CommandError when the archive cannot give all parts of the chain's fees */
export function queryFor(chain: Chain, archive: ArchiveName, first: UtcDay, last: UtcDay): string {
  const query = archiveQuery(chain, archive, first, last);
  if (query !== undefined) return query;
  const able = archiveNames.filter((name) => archiveQuery(chain, name, first, last) !== undefined);
  throw new CommandError(
    `${archive} does not have all parts of ${chain.name}'s fees. Use ${able.join(' or ')} (docs/history.md).`,
  );
}
