import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hostsOf, type Network } from '#core/anchor/network.ts';
import { askLater, findSuspects, suspect, suspectDuring } from '#core/anchor/suspects.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { RequestContext } from '#core/rpc/deadline.ts';
import { listSuspects, saveSuspect } from '#core/store/chain/suspects.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock, steppedClock } from '#test/support/clock.ts';
import { header } from '#test/support/generators/blocks/builders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks, storedDays } from '#test/support/generators/chains/sample-days.ts';
import {
  bodyOf,
  type Call,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { unreachableTable, useStore } from '#test/support/tables/table.ts';

const ethereum = chainOf('ETHEREUM');
const { table, store } = useStore('ETHEREUM');
const BIG = 5 * 2 ** 20;
const HOUR = 3_600_000;
const honest = answerFrom(sampleBlocks);

const down = async () => Promise.reject(new Error('no table'));
const withoutTable = chainStore({ ...unreachableTable, putIf: down, deleteItem: down }, 'ETHEREUM');

/** Returns two hosts that are never called, and further ones. */
const withHosts = (context: RequestContext, ...urls: readonly string[]): Network => ({
  chain: ethereum,
  evidence: 'proven',
  isProofRequired: false,
  context,
  quorum: 2,
  hosts: hostsOf(
    upstreamsOf(
      ethereum,
      ['http://a.example', 'http://b.example', ...urls].map((url) => ({ url })),
    ).map((upstream) => ({ upstream, head: header({}) })),
    context.clock.now(),
  ),
});

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

  const hostNames = ['under-way', 'crashed', 'yesterday', 'old'].map((name) => `${name}.example`);

  test('are those of the last 24 hours, without calls that may be under way, and are asked last', async () => {
    const upstreams = upstreamsOf(
      ethereum,
      hostNames.map((host) => ({ url: `http://${host}` })),
    );
    for (const [index, age] of [60_000, 60_001, 24 * HOUR, 24 * HOUR + 1].entries()) {
      await saveOld(hostNames[index] ?? '', age);
    }
    await saveOld('gone.example', HOUR);
    const found = await findSuspects(store(), clock, upstreams);
    expect([...found].toSorted()).toEqual(['crashed.example', 'gone.example', 'yesterday.example']);
    expect((await listSuspects(store())).map(({ host }) => host)).not.toContain('old.example');
    const now = clock.now();
    expect(upstreams.map(({ health }) => health.lastUntil)).toEqual([0, now - 60_001 + 24 * HOUR, now, 0]);
  });

  test('stay when another process saves them again while an old item is deleted', async () => {
    await saveOld('again.example', 25 * HOUR);
    const deleteItem: Table['deleteItem'] = async (key, condition) => {
      await saveOld('again.example', 0);
      await table().deleteItem(key, condition);
    };
    await findSuspects({ ...store(), table: { ...table(), deleteItem } }, clock, []);
    expect(await listSuspects(store())).toMatchObject([{ host: 'again.example', since: clock.now() }]);
  });

  test('gave a block that does not belong to the chain: a fault that other processes find at once', async () => {
    const onFault = jest.fn();
    const source = withHosts(requestContextWith({ clock, onFault }));
    await suspect(source, store(), 'b.example', 'b.example: why');
    expect(source.hosts.map(({ upstreams: [one] }) => one?.health.lastUntil)).toEqual([
      0,
      clock.now() + 24 * HOUR,
    ]);
    expect(onFault.mock.calls).toEqual([['b.example', 'not canonical', 'b.example: why']]);
    const upstreams = upstreamsOf(ethereum, [{ url: 'http://b.example' }]);
    expect([...(await findSuspects(store(), clock, upstreams))]).toEqual(['b.example']);
    expect(upstreams[0]?.health.lastUntil).toBe(clock.now() + 24 * HOUR);
  });

  test('are all endpoints of a provider, as they have one vote', async () => {
    const context = requestContextWith({ clock });
    const urls = ['http://1.liar.example', 'http://2.liar.example', 'http://liar.example:81'];
    const source = withHosts(context, ...urls);
    const namesOf = (key: 'lastUntil' | 'laterUntil') =>
      source.hosts
        .flatMap(({ upstreams }) => upstreams)
        .flatMap(({ endpoint, health }) => (health[key] > 0 ? [endpoint.host] : []));
    askLater(source, '2.liar.example');
    expect(namesOf('laterUntil')).toEqual(['1.liar.example', '2.liar.example']);
    expect(namesOf('lastUntil')).toEqual([]);
    await suspect(source, store(), '1.liar.example', '1.liar.example: why');
    expect(namesOf('lastUntil')).toEqual(['1.liar.example', '2.liar.example']);
    // The report names the endpoint that gave the block, also to other processes.
    const others = upstreamsOf(
      ethereum,
      urls.map((url) => ({ url })),
    );
    expect([...(await findSuspects(store(), clock, others))]).toEqual(['1.liar.example']);
    expect(others.map(({ health }) => health.lastUntil > 0)).toEqual([true, true, false]);
  });

  test('are saved while a response is read, also without a table', async () => {
    const end = await suspectDuring(store(), clock)('a.example');
    expect(await listSuspects(store())).toMatchObject([{ host: 'a.example', since: clock.now() }]);
    await end();
    expect(await listSuspects(store())).toEqual([]);
    await (await suspectDuring(withoutTable, clock)('a.example'))();
  });
});

/** Runs the ingest in a process that crashes when it parses a big response. */
async function crash(urls: readonly string[]): Promise<NodeJS.Signals | null> {
  const modules = ['chains/chains', 'ingest/run', 'rpc/endpoint', 'rpc/upstream', 'store/table/table'];
  const paths = [...modules, 'store/table/document-table'].map((name) =>
    join(process.cwd(), `core/${name}.ts`),
  );
  const access = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const script = `
    const modules = await Promise.all(${JSON.stringify(paths)}.map((path) => import(path)));
    const { chainOf, ingestChain, endpointOf, createUpstream, chainStore, createDocumentTable } = Object.assign({}, ...modules);
    const { parse } = JSON;
    JSON.parse = (text, ...rest) => text.length > ${BIG} ? process.abort() : parse(text, ...rest);
    const chain = chainOf('ETHEREUM');
    await ingestChain({
      chain,
      upstreams: ${JSON.stringify(urls)}.map((url) => createUpstream(endpointOf(chain, url))),
      store: chainStore(createDocumentTable('metrics', ${JSON.stringify({ ...access, endpoint: table().endpoint })}), 'ETHEREUM'),
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
  const ofBlocks = hostile.calls.slice(calls).filter(({ method }) => !/Proof|eth_call/.test(method));
  const since = ofBlocks.map(({ method, params: [, isFull] }) => [method, isFull]);
  expect(since).toContainEqual(['eth_getBlockByNumber', false]);
  expect(since.filter(([method, isFull]) => isFull || !`${method}`.startsWith('eth_getBlock'))).toEqual([
    ['eth_chainId', undefined],
  ]);
});
