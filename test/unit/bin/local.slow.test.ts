import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf, startOfDay } from '#core/figures/calendar.ts';
import { createFolder } from '#test/support/folders.ts';
import { answerFrom, sampleChain, sampleSums } from '#test/support/generators/chains/sample-chain.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { NOBODY, requestService, startServiceProcess } from '#test/support/processes/service-process.ts';

/** Lists the descendants of a process as `PID command`. */
function descendantsOf(parent: number | undefined): string[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().trim().split('\n');
  const rows = processes.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = (pid: string): string[] =>
    rows
      .filter(([, , ppid]) => ppid === pid)
      .flatMap(([, child = '', , args = '']) => [`${child} ${args}`, ...below(child)]);
  return below(String(parent));
}

async function ended(processes: readonly string[]) {
  const isAlive = (line: string) => {
    const [pid = ''] = line.split(' ');
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,stat=']).toString().split('\n');
    return rows.some((row) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(row));
  };
  for (let waited = 0; processes.some(isAlive); waited += 50) {
    if (waited > 5_000) throw new Error(`still running: ${processes.filter(isAlive).join(', ')}`);
    await sleep(50);
  }
}

const ask = (url: string, chain: string, from: string, to: string) =>
  requestService<{ date: string; fees: string }[]>(url, 'fees', { chain, start_date: from, end_date: to });

test('prints a curl line that works as pasted, and leaves no process behind after Ctrl-C', async () => {
  using service = startServiceProcess({ RPC_URLS_POLYGON: '' });
  await service.ready();
  const curl = await service.says(/try: +(curl .*)/);
  const [, url = '', key = '', body = ''] = /-s (\S+) -H '(X-API-Key: [^']+)'.*-d '(.*)'/.exec(curl) ?? [];
  const headers = {
    [key.split(': ')[0] ?? '']: key.split(': ')[1] ?? '',
    'Content-Type': 'application/json',
  };
  const rows = await (await fetch(url, { method: 'POST', headers, body })).json();
  expect(rows).toHaveLength(7);
  const { start_date, end_date } = JSON.parse(body);
  expect(service.output()).toContain(`POLYGON    final: 7 days, ${start_date} to ${end_date}\n`);
  expect(service.output()).not.toContain('table:');

  const below = descendantsOf(service.child.pid);
  expect(below.filter((line) => line.includes('anvil'))).toHaveLength(1);
  service.child.kill('SIGINT');
  expect(await service.exit).toEqual([0, null]);
  await ended(below);
});

test('reads a chain from real nodes, and reports unreachable nodes once', async () => {
  const first = startOfDay('2026-11-10');
  const blocks = sampleChain([first - 10, first, first + 10, first + 86_400]);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  using service = startServiceProcess({
    RPC_URLS_ETHEREUM: `${NOBODY},${node.url}`,
    // By default, two of two hosts must support a final block.
    QUORUM_ETHEREUM: '1',
    INGEST_START_DATE: '2026-11-10',
    INGEST_EVERY_SECONDS: '0.2',
  });
  const url = await service.ready();
  await service.says(/ETHEREUM +final: 2026-11-10/);
  const [row] = await ask(url, 'ETHEREUM', '2026-11-01', '2026-11-20');
  expect(row).toEqual({
    date: '2026-11-10',
    fees: `0.${String(sampleSums(1, 2).fees).padStart(18, '0').replace(/0+$/, '')}`,
  });

  await service.says(
    /BSC +No endpoint gave a valid response for the finalized block of BSC. 127.0.0.1:1: eth_chainId: unreachable/,
  );
  await sleep(1_000);
  expect(service.output().match(/BSC +No endpoint/g)).toHaveLength(1);
  expect(service.output()).not.toContain('secret-token');
});

test('leaves no process behind and loses no final day when killed, and resumes', async () => {
  const first = startOfDay('2026-11-10');
  const times = Array.from({ length: 60 }, (_, index) => first - 10 + index * 7_200);
  await using node = await startJsonRpcServer(answerFrom(sampleChain(times)));
  const environment = {
    RPC_URLS_ETHEREUM: node.url,
    RPC_URLS_POLYGON: '',
    INGEST_START_DATE: '2026-11-10',
    DATA_DIR: createFolder(),
  };
  using service = startServiceProcess(environment);
  const before = await ask(await service.ready(), 'POLYGON', '2026-11-01', dayOf(Date.now() / 1000));
  await service.says(/ETHEREUM +final/);
  const below = descendantsOf(service.child.pid);
  service.child.kill('SIGKILL');
  await ended(below);

  using again = startServiceProcess(environment);
  const url = await again.ready();
  expect(await ask(url, 'POLYGON', '2026-11-01', dayOf(Date.now() / 1000))).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
  expect((await ask(url, 'ETHEREUM', '2026-11-10', '2026-11-20')).map(({ date }) => date)).toEqual([
    '2026-11-10',
    '2026-11-11',
    '2026-11-12',
    '2026-11-13',
  ]);
  expect(again.output()).not.toMatch(/(POLYGON|ETHEREUM) +final/);

  using third = startServiceProcess(environment);
  await third.says(/The table in DATA_DIR cannot be opened: .*Another npm start may be using it/);
  expect(await third.exit).toEqual([1, null]);
});

test.each([
  [{ PORT: 'web' }, /^Invalid environment: PORT must be a whole number from 0 to 65535\.\n$/],
  [
    { RPC_URLS_SOLANA: 'http://localhost' },
    /^Invalid environment: RPC_URLS_SOLANA names no known chain\. .*\n$/,
  ],
])('refuses %p with one sentence', async (environment, sentence) => {
  using service = startServiceProcess(environment);
  expect(await service.exit).toEqual([1, null]);
  expect(service.output()).toMatch(sentence);
});
