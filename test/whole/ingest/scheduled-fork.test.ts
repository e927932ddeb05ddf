import { createServer } from 'node:http';
import { reportChain, showReports } from '#cli/doctor/report.ts';
import { readStatus } from '#cli/read-status.ts';
import type { Manifest } from '#core/backup/export-files.ts';
import { chainOf } from '#core/chains/chains.ts';
import { noteSchedule } from '#core/ingest/ask-schedule.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { chainRow } from '#core/rows/chain-row.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { chainStore } from '#core/store/table/table.ts';
import { chainFindings } from '#lambda/daily-findings.ts';
import { fastClock } from '#test/support/clock.ts';
import { targetOf } from '#test/support/doctor-target.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks, storedDays } from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';
import { forkNotes } from '#web/model/captions.ts';

const DAY_SECONDS = 86_400;
const now = 1_795_824_000_000;
const activationTime = now / 1_000 + 20 * DAY_SECONDS;
const blobSchedule = { target: 21, max: 32, baseFeeUpdateFraction: 20_609_697 };
const next = { activationTime, blobSchedule };

const url = useServer(
  createServer(async (request, response) => {
    const { id, method } = JSON.parse((await Array.fromAsync(request)).join(''));
    const error = { code: -32601, message: `the method ${method} does not exist` };
    const isKnown = method === 'eth_config';
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id, ...(isKnown ? { result: { next, last: next } } : { error }) }),
    );
  }),
);
const table = useMemoryTable();
const chain = chainOf('ETHEREUM');
const store = () => chainStore(table(), 'ETHEREUM');
const ask = (at: number) => {
  const upstream = createUpstream(endpointOf(chain, url(), 'a.example'));
  return noteSchedule(
    chain,
    store(),
    async () => ({ upstreams: [{ ...upstream, isOnItsChain: true }], servers: [] }),
    at,
  );
};
const words =
  /a\.example says that a fork \(blobs 21\/32\) is scheduled for 2026-12-18 00:00 UTC\. This version does not know it/;
const manifest = { format: 1, exported_at: '', software_version: '0', chains: [] } satisfies Manifest;

test('shows a fork that one host states in the email, doctor, status, /chains and the explorer', async () => {
  const forks = await ask(now);
  expect((await chainFindings(store(), 'ETHEREUM', { now: manifest }, 'prod')).join()).toMatch(words);
  const anchor = { reason: 'none' };
  const report = reportChain(targetOf('ETHEREUM'), [], anchor, now / 1_000, { scheduled: forks });
  expect(showReports([report], now / 1_000).replaceAll(/\s+/g, ' ')).toMatch(words);
  const served = { name: 'ETHEREUM' as const, chain, store: store(), createUpstreams: async () => [] };
  const { scheduled } = await readStatus(served, {});
  expect(scheduled).toEqual(forks);
  const state = { name: 'ETHEREUM' as const, startDate: undefined, coverage: undefined, lag: undefined };
  const row = chainRow({ ...state, conflicts: [], scheduled }, '2026-11-27', now);
  expect(row.scheduled).toEqual([
    { name: 'blobs 21/32', at: '2026-12-18T00:00:00.000Z', host: 'a.example', followed: false },
  ]);
  expect(forkNotes(['ETHEREUM'], [row])).toMatch(words);
  expect(forkNotes(['BASE'], [row])).toBe('');
});

test('publishes the same figures where a node lies about its schedule', async () => {
  const honest = answerFrom(sampleBlocks);
  const liar: NodeAnswer = (call) =>
    call.method === 'eth_config' ? { result: { next, last: next } } : honest(call);
  await using node = await startJsonRpcServer(liar);
  const [upstreams, clock] = [upstreamsOf(chain, [node]), fastClock()];
  const run = () =>
    ingestChain({ chain, upstreams, store: store(), from: DAY, stopAt: clock.now() + 3_600_000_000, clock });
  const lied = await noteSchedule(
    chain,
    store(),
    async () => ({ upstreams: upstreams.map((one) => ({ ...one, isOnItsChain: true })), servers: [] }),
    now,
  );
  expect(lied).toHaveLength(1);
  await run();
  expect(await storedDays(table())).toEqual(completeDays);
});
