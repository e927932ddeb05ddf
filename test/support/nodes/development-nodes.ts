import type { ChildProcess } from 'node:child_process';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { Endpoint } from '#core/rpc/endpoint.ts';
import { startDevelopmentChain } from '#local/development-chain.ts';
import { requestService } from '#test/support/processes/service-process.ts';
import { rawFigures } from './raw-node.ts';

/** Returns a function that starts a development chain, which ends after the tests of a file. */
export function useDevelopmentNodes() {
  const nodes: ChildProcess[] = [];
  afterAll(() => {
    for (const node of nodes) node.kill();
  });
  /**
   * @param quietDays days with one block each before `day`
   * @param day has eight blocks; the next one ends at nine
   */
  return async (name: ChainName, quietDays: number, day: UtcDay): Promise<Endpoint> => {
    const schedule = { firstDay: addDays(day, -quietDays), quietDays };
    const guard = (child: ChildProcess) => nodes.push(child);
    const { endpoint, mineUntil } = await startDevelopmentChain(chainOf(name), schedule, guard);
    await mineUntil(new Date(`${addDays(day, 1)}T09:00:00Z`));
    return endpoint;
  };
}

/** Expects that a service serves the figures of a day that follow from the raw answers of a node. */
export async function expectFigures(
  service: string,
  chain: ChainName,
  node: Endpoint,
  day: UtcDay,
): Promise<void> {
  const { count, wei = 0n } = (await rawFigures(node.url, [day])).get(day) ?? {};
  const query = { chain, start_date: day, end_date: day };
  expect(await requestService(service, 'transaction_count', query)).toEqual([
    { date: day, transaction_count: count },
  ]);
  expect(await requestService(service, 'fees', query)).toEqual([{ date: day, fees: coinAmount(wei) }]);
}
