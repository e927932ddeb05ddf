import type { ChildProcess } from 'node:child_process';
import { chainOf } from '#core/chains/chains.ts';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { chainStore } from '#core/store/table/table.ts';
import { developmentDefinition, startDevelopmentChain } from '#local/development-chain.ts';
import { rawFigures } from '#test/support/nodes/raw-node.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';

/* A running day, from the node to the API. The expected figures are added up from the raw receipts of the node. */

/** Until some blocks of the day are final, it has nothing to show. */
const MIN_AGE_S = 600;
const today = dayOf(Date.now() / 1_000 - MIN_AGE_S);
const midnight = startOfDay(today);
const MOMENTS = 6;
/** The clock advances by about a second for each moment, and must not reach the next day. */
const MAX_AGE_S = 86_400 - 60;

const nodes: ChildProcess[] = [];
afterAll(() => {
  for (const node of nodes) node.kill();
});

interface Answer {
  readonly date: string;
  readonly transaction_count?: number;
  readonly fees?: string;
  readonly hours?: readonly object[];
}

const { table, url } = useApi();

test.each(['ETHEREUM', 'BASE'] as const)(
  'each moment of a day on %s shows the wei of its final blocks',
  async (name) => {
    const schedule = { firstDay: addDays(today, -1), quietDays: 1, liveFrom: midnight };
    const chain = developmentDefinition(chainOf(name), schedule.firstDay);
    const { endpoint, mineUntil } = await startDevelopmentChain(chain, schedule, (child) =>
      nodes.push(child),
    );
    const store = chainStore(table(), name);
    const age = Math.min(Date.now() / 1_000 - midnight, MAX_AGE_S);
    // Shortly after midnight, the service must still answer for the day of the test.
    jest.spyOn(Date, 'now').mockReturnValue((midnight + age) * 1_000);
    const counts: number[] = [];
    for (let moment = 1; moment <= MOMENTS; moment++) {
      await mineUntil(new Date((midnight + (age * moment) / MOMENTS) * 1_000));
      const upstreams = [createUpstream(endpoint)];
      await ingestChain({ chain, store, upstreams, from: schedule.firstDay, stopAt: Date.now() + 60_000 });
      // Longer than a function keeps what it read.
      jest.spyOn(Date, 'now').mockReturnValue((midnight + age) * 1_000 + 1_100 * moment);
      const response = await fetch(`${url()}/api/chain-insights/today?chain=${name}`, {
        headers: { 'X-API-Key': KEY },
      });
      const { date, transaction_count = 0, fees = '0', hours = [] } = (await response.json()) as Answer;
      const expected = (await rawFigures(endpoint.url, [today], 'finalized')).get(today);
      const [whole = '', fraction = ''] = fees.split('.');
      expect(date).toBe(today);
      expect(transaction_count).toBe(expected?.count);
      expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(expected?.wei);
      expect(hours.length).toBeLessThanOrEqual(Math.floor(age / 3_600));
      counts.push(transaction_count);
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(0);
  },
);
