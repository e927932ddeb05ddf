import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expectFigures, useDevelopmentNodes } from '#test/support/nodes/development-nodes.ts';
import { attackNames, startHostileProxy } from '#test/support/nodes/hostile-proxy.ts';
import { startServiceProcess } from '#test/support/processes/service-process.ts';

/* npm start with hostile nodes in front of an honest one. */

const startNode = useDevelopmentNodes();

const DAY = '2026-11-17';
const MAX_RESIDENT_MB = 700;

/** Returns the largest resident memory of a process so far, in MB; undefined where the system does not say it. */
function peakMemory({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

test('hostile nodes in front of an honest one change no figure, and the service stays below 700 MB', async () => {
  const endpoint = await startNode('ETHEREUM', 2, DAY);
  const hostile = await Promise.all(attackNames.map((name) => startHostileProxy(endpoint.url, name)));
  using service = startServiceProcess({
    RPC_URLS_ETHEREUM: [...hostile, endpoint].map(({ url }) => url).join(),
    INGEST_START_DATE: DAY,
    INGEST_EVERY_SECONDS: '0.2',
  });
  const url = await service.ready();
  await service.says(new RegExp(`ETHEREUM +final: ${DAY}`));

  await expectFigures(url, 'ETHEREUM', endpoint, DAY);
  for (const { calls } of hostile) expect(calls.length).toBeGreaterThan(0);
  expect(peakMemory(service.child) ?? 0).toBeLessThan(MAX_RESIDENT_MB);
  await Promise.all(hostile.map((proxy) => proxy[Symbol.asyncDispose]()));
}, 60_000);
