import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chainOf } from '../../lambda/chains/chains.ts';
import { coinAmount } from '../../lambda/chains/coin-amount.ts';
import { startDevelopmentChain } from '../../local/development-chain.ts';
import { attackNames, startHostileProxy } from '../support/hostile-proxy.ts';
import { rawFigures } from '../support/raw-node.ts';
import {
  chainsBut,
  endServicesAfterEach,
  READY,
  requestService,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

/* npm start with hostile nodes in front of an honest one. */

endServicesAfterEach();
const nodes: ChildProcess[] = [];
afterAll(() => {
  for (const node of nodes) node.kill();
});

const DAY = '2026-11-17';
const MAX_RESIDENT_MB = 700;

/** Returns the largest resident memory of a process so far, in MB; undefined where the system does not say it. */
function peakMemory({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

test('hostile nodes in front of an honest one change no figure, and the service stays below 700 MB', async () => {
  const { endpoint, mineUntil } = await startDevelopmentChain(
    chainOf('ETHEREUM'),
    { firstDay: '2026-11-15', quietDays: 2 },
    (child) => nodes.push(child),
  );
  await mineUntil(new Date('2026-11-18T09:00:00Z'));
  const hostile = await Promise.all(attackNames.map((name) => startHostileProxy(endpoint.url, name)));
  const service = startServiceProcess({
    ...chainsBut({ RPC_URLS_ETHEREUM: [...hostile, endpoint].map(({ url }) => url).join() }),
    ...withKey,
    INGEST_START_DATE: DAY,
    INGEST_EVERY_SECONDS: '0.2',
  });
  const url = await service.says(READY);
  await service.says(new RegExp(`ETHEREUM +final: ${DAY}`));

  const { count, wei = 0n } = (await rawFigures(endpoint.url, [DAY])).get(DAY) ?? {};
  const query = { chain: 'ETHEREUM', start_date: DAY, end_date: DAY };
  expect(await requestService(url, 'transaction_count', query)).toEqual([
    { date: DAY, transaction_count: count },
  ]);
  expect(await requestService(url, 'fees', query)).toEqual([{ date: DAY, fees: coinAmount(wei) }]);
  for (const { calls } of hostile) expect(calls.length).toBeGreaterThan(0);
  expect(peakMemory(service.child) ?? 0).toBeLessThan(MAX_RESIDENT_MB);
  await Promise.all(hostile.map((proxy) => proxy[Symbol.asyncDispose]()));
}, 60_000);
