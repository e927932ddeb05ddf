import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { findSuspects, suspectDuring, withoutSuspects } from '../../../lambda/ingest/suspects.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { listSuspects, saveSuspect } from '../../../lambda/store/suspects.ts';
import { fastClock, steppedClock } from '../../support/clock.ts';
import { bodyOf, type Call, type NodeResponse, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { runIngest } from '../../support/run-ingest.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { completeDays, DAY, sampleBlocks, storedDays } from '../../support/sample-days.ts';
import { upstreamsOf } from '../../support/source.ts';
import { unreachableTable, useTable } from '../../support/table.ts';

const ethereum = chainOf('ETHEREUM');
const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const BIG = 5 * 2 ** 20;
const HOUR = 3_600_000;
const honest = answerFrom(sampleBlocks);

/** Answers with receipts of 5 MB. */
function bigReceipts(call: Call): NodeResponse {
  const answer = honest(call);
  if (call.method !== 'eth_getBlockReceipts' || !('result' in answer)) return answer;
  return { status: 200, body: bodyOf(call, answer) + ' '.repeat(BIG) };
}

describe('suspects', () => {
  const clock = steppedClock();
  const saveOld = (host: string, age: number) =>
    saveSuspect(store(), { host, process: 'p', since: clock.now() - age });

  test('are those of the last 24 hours, without calls that may be under way', async () => {
    await saveOld('under-way.example', 60_000);
    await saveOld('crashed.example', 60_001);
    await saveOld('yesterday.example', 24 * HOUR);
    await saveOld('old.example', 24 * HOUR + 1);
    expect([...(await findSuspects(store(), clock))]).toEqual(['crashed.example', 'yesterday.example']);
    expect((await listSuspects(store())).map(({ host }) => host)).not.toContain('old.example');
  });

  test('are skipped, unless all endpoints are suspects', () => {
    const upstreams = upstreamsOf(ethereum, [{ url: 'http://a.example' }, { url: 'http://b.example' }]);
    const [, b] = upstreams;
    expect(withoutSuspects(upstreams, new Set(['a.example']))).toEqual([b]);
    expect(withoutSuspects(upstreams, new Set(['a.example', 'b.example']))).toEqual(upstreams);
  });

  test('are saved while a response is read, also without a table', async () => {
    const end = await suspectDuring(store(), clock)('a.example');
    expect(await listSuspects(store())).toMatchObject([{ host: 'a.example', since: clock.now() }]);
    await end();
    expect(await listSuspects(store())).toEqual([]);
    const down = async () => Promise.reject(new Error('no table'));
    const withoutTable = chainStore({ ...unreachableTable, putIf: down, deleteItem: down }, 'ETHEREUM');
    await (await suspectDuring(withoutTable, clock)('a.example'))();
  });
});

test('a run that reads big responses leaves no suspect', async () => {
  await using node = await startJsonRpcServer(bigReceipts);
  const put = jest.spyOn(table(), 'putIf');
  const report = await runIngest(table(), [node]);
  expect(report).toMatchObject({ outcome: 'up to date', faults: {} });
  expect(report).not.toHaveProperty('suspects');
  // Blocks 8 and 9 end two days: the newest complete one, which is read first, and the one before.
  expect(put.mock.calls.filter(([item]) => 'process' in item)).toHaveLength(sampleBlocks.length + 1);
  expect(await listSuspects(store())).toEqual([]);
  expect(await storedDays(table())).toEqual(completeDays);
});

/** Runs the ingest in a process that crashes when it parses a big response. */
async function crash(urls: readonly string[]): Promise<NodeJS.Signals | null> {
  const modules = ['chains/chains', 'ingest/run', 'rpc/endpoint', 'rpc/upstream', 'store/chain-store'];
  const paths = [...modules, 'store/document-table'].map((name) => join(process.cwd(), `lambda/${name}.ts`));
  const access = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const script = `
    const modules = await Promise.all(${JSON.stringify(paths)}.map((path) => import(path)));
    const { chainOf, ingestChain, endpointOf, openUpstream, chainStore, openTable } = Object.assign({}, ...modules);
    const { parse } = JSON;
    JSON.parse = (text, ...rest) => text.length > ${BIG} ? process.abort() : parse(text, ...rest);
    const chain = chainOf('ETHEREUM');
    await ingestChain({
      chain,
      upstreams: ${JSON.stringify(urls)}.map((url) => openUpstream(endpointOf(chain, url))),
      store: chainStore(openTable('metrics', ${JSON.stringify({ ...access, endpoint: table().endpoint })}), 'ETHEREUM'),
      from: '${DAY}',
      stopAt: Date.now() + 60_000,
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  return signal;
}

test('after a crash on a big response, the next run completes the days from the second endpoint', async () => {
  await using hostile = await startJsonRpcServer(bigReceipts);
  await using second = await startJsonRpcServer(honest);
  expect(await crash([hostile.url, second.url])).toBe('SIGABRT');
  expect(await listSuspects(store())).toMatchObject([{ host: hostile.host }]);
  expect(await storedDays(table())).toEqual([]);

  const calls = hostile.calls.length;
  const clock = fastClock();
  const later = { ...clock, now: () => clock.now() + HOUR };
  const report = await runIngest(table(), [hostile, second], { clock: later });
  expect(report).toMatchObject({ outcome: 'up to date', suspects: [hostile.host], faults: {} });
  expect(await storedDays(table())).toEqual(completeDays);
  expect(hostile.calls).toHaveLength(calls);
});
