import { firstProvable } from '../../core/chains/provable.ts';
import { addDays, countDays, dayOf } from '../../core/figures/calendar.ts';
import { queryStoredDays } from '../../core/store/days/days.ts';
import { CALLS_PER_BLOCK, measureSpeed } from '../backfill/plan.ts';
import { openNetwork, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { formatDollars, maxDollars } from '../node-prices.ts';
import { formatDuration, formatTable, printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';
import { wrapText } from '../wrap.ts';
import { archivesOf } from './query.ts';

/** The default of `history import`, and the blocks of a range of our queries. */
const AUDITED_BLOCKS = 300 * 1_000;

/** At most, of BigQuery and Athena: docs/history.md. */
const QUERY_DOLLARS_A_YEAR = 3;

/** Files of all blocks that the chain's community publishes. */
const FILES: Partial<Record<ServedChain['chain']['rules']['family'], string>> = {
  ethereum: 'proven, era files',
  bsc: 'proven, block files',
};

/** Lists the ways to the days before the first stored one, with the speed of the stage's nodes now, if they have old blocks. */
export async function planHistory(served: ServedChain) {
  const { chain, store } = served;
  const [stored] = await queryStoredDays(store);
  const firstStored = stored?.figures.day ?? dayOf(Date.now() / 1_000);
  const days = countDays(chain.firstDay, addDays(firstStored, -1));
  const network = await openNetwork(
    served,
    await upstreamsOf(served, undefined),
    requestContext(interrupted),
  );
  const begin = firstProvable(chain.rules);
  const end = Math.max(begin, stored?.figures.first?.number ?? network.anchor.number);
  const speed = await measureSpeed(network, begin, Math.max(begin, end - 1)).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    printNote(`${chain.name}: no speed, because the nodes do not have old blocks.`);
    return undefined;
  });
  const wayOf = (way: string, blocks: number, queryDollars = 0) => {
    const seconds = speed && blocks / speed;
    const calls = blocks * CALLS_PER_BLOCK;
    const dollars = maxDollars(calls) + queryDollars;
    return {
      chain: chain.name,
      days,
      way,
      calls,
      seconds,
      max_dollars: dollars,
      money: formatDollars(dollars),
    };
  };
  // Two headers a day, and the ranges.
  const audited = Math.min(end - begin, AUDITED_BLOCKS) + days * 2;
  const files = FILES[chain.rules.family] ?? 'proven, node files';
  return [
    { ...wayOf(files, days * 5), seconds: undefined },
    wayOf('proven, nodes', end - begin),
    // Dune takes credits.
    ...archivesOf(chain).map((name) =>
      wayOf(`audited, ${name}`, audited, name === 'dune' ? 0 : (days / 365) * QUERY_DOLLARS_A_YEAR),
    ),
  ];
}

/** An explanation of the column `money`. */
const MONEY = wrapText(
  'Money: $0 if public nodes serve all calls. The larger amount is the cheaper of two prices that providers publish ' +
    "(docs/operate/cost.md#nodes). It includes the query of an archive, but not Dune's credits, AWS, machines or disks (docs/history.md).",
);

export const showWays = (ways: Awaited<ReturnType<typeof planHistory>>): string => {
  const table = formatTable(
    ['chain', 'days', 'way', 'node calls', 'time', 'money'],
    ways.map(({ chain, days, way, calls, seconds, money }) => {
      const time = seconds === undefined ? '' : formatDuration(seconds);
      return [chain, days, way, calls, time, money];
    }),
  );
  return `${table}\n\n${MONEY}`;
};
