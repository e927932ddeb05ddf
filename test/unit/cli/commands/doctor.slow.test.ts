import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { saveLag } from '#core/store/chain/coverage.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const SECRET = 'my-secret-key-4711';
const now = Math.floor(Date.now() / 1_000);
const today = dayOf(now);
/** One block every six hours for ten days; the last is half an hour old. */
const blocks = sampleChain(Array.from({ length: 41 }, (_, index) => now - 1_800 - (40 - index) * 21_600));

const isOlderThan = ({ params: [at] }: Call, number: number) =>
  typeof at === 'string' && at.startsWith('0x') && Number(at) < number;
const pruned: NodeResponse = { error: { code: -32000, message: 'history is pruned' } };

/**
 * The node refuses calls after this number, to end the limits check early. Earlier checks make up to 36 calls, the first
 * level of concurrency 8.
 */
const CALLS = 60;

/** Starts a node of a chain that responds to some calls differently. */
const startNode = (
  chainId: number,
  otherwise: (call: Call) => NodeResponse | undefined = () => undefined,
) => {
  const answer = answerFrom(blocks, { chainId });
  let calls = 0;
  return startJsonRpcServer((call) => {
    calls += 1;
    return calls > CALLS ? { status: 429, body: '' } : (otherwise(call) ?? answer(call));
  });
};
/** Without a port, the command would find the service of another test, which may end in the meantime. */
const NO_SERVICE = { PORT: '1' };
const urlOf = ({ url }: JsonRpcServer) => `${url}/${SECRET}`;

test('distinguishes endpoint faults and reports which chains work', async () => {
  await using good = await startNode(1);
  await using other = await startNode(1);
  await using wrong = await startNode(5);
  await using untagged = await startNode(56, ({ params: [at] }) =>
    at === 'finalized' ? { error: { code: -39001, message: 'unknown block' } } : undefined,
  );
  // Keeps blocks for a day and a half.
  await using short = await startNode(137, (call) => (isOlderThan(call, 35) ? pruned : undefined));
  await using without = await startNode(42_161, ({ method }) =>
    method.endsWith('Receipts') || method.endsWith('Receipt')
      ? { error: { code: -32601, message: `no method at /${SECRET}` } }
      : undefined,
  );
  const chains = ['ETHEREUM', 'BSC', 'POLYGON', 'ARBITRUM', 'OPTIMISM'];
  const {
    code,
    stdout: shown,
    stderr,
  } = await runCli(['doctor', '--chain', ...chains], {
    ...NO_SERVICE,
    INGEST_START_DATE: addDays(today, -5),
    RPC_URLS_ETHEREUM: `${urlOf(wrong)},${urlOf(good)}`,
    QUORUM_ETHEREUM: '1',
    RPC_URLS_BSC: urlOf(untagged),
    RPC_URLS_POLYGON: urlOf(short),
    RPC_URLS_ARBITRUM: urlOf(without),
    RPC_URLS_OPTIMISM: urlOf(other),
  });
  // A URL stays whole, on a line of its own.
  expect(shown.split('\n').filter((line) => line.length > 80 && !/^ *https:\S+$/.test(line))).toEqual([]);
  // As it was before lines were wrapped.
  const stdout = shown.replaceAll(/\n {4,}/g, ' ');
  const row = (...cells: string[]) => new RegExp(`\n${cells.join(' +')}\n`);
  expect(stdout).toMatch(row('ETHEREUM\n ', wrong.host, 'chain'));
  const measured = '[\\d,]+ at \\d+';
  expect(stdout).toMatch(row('', good.host, 'ok', '30m.*', 'all', measured));
  const since = dayOf(now - 1_800 - 5 * 21_600 + 86_400);
  expect(stdout).toMatch(row('POLYGON\n ', short.host, 'ok', '30m.*', since, measured));

  const from = addDays(today, -5);
  expect(stdout).toContain(`\nETHEREUM can be ingested from ${from} (0 calls/s needed, `);
  expect(stdout).toContain(
    `\n  ${wrong.host}: it serves chain 5, but ETHEREUM is chain 1. Correct the URL\n`,
  );
  expect(stdout).toMatch(new RegExp(`\n {2}Anchor: block 40, 30m.* ago, supported by ${good.host}\\.\n`));
  expect(stdout).toMatch(/\nBSC cannot be ingested: .*\n.*unknown block.* set CONFIRMATIONS_BSC, or/);
  expect(stdout).toMatch(
    new RegExp(
      `\nPOLYGON can be ingested from ${since}, not from ${from} \\(.*history is pruned .*\\)\\. Set INGEST_START_DATE`,
    ),
  );
  expect(stdout).toMatch(
    /\nARBITRUM cannot be ingested: .*\n.*no method at \/\*\*\* \(no method: .*\)\. It needs a working eth_getBlockReceipts/,
  );
  expect(stdout).toMatch(/\nOPTIMISM cannot be ingested: .*\n.*it serves chain 1, but OPTIMISM is chain 10/);
  expect(stdout).not.toContain('BASE');
  expect(`${stdout}${stderr}`).not.toContain(SECRET);
  expect(code).toBe(3);
});

test('prints a report with a rate limit as JSON, and exits with 0', async () => {
  await using limited = await startNode(137);
  const { code, stdout } = await runCli(
    ['doctor', '--chain', 'POLYGON', '--rpc-url', urlOf(limited), '--json'],
    { ...NO_SERVICE, RPC_URLS_POLYGON: 'http://127.0.0.1:1', INGEST_START_DATE: addDays(today, -5) },
  );
  expect(JSON.parse(stdout).chains).toEqual([
    expect.objectContaining({
      chain: 'POLYGON',
      start_date: addDays(today, -5),
      works: true,
      anchor: { number: 40, timestamp: now - 1_800, hosts: [limited.host] },
      problems: [],
      endpoints: [
        {
          endpoint: limited.host,
          finalized: { number: 40, timestamp: now - 1_800 },
          has_receipts: true,
          is_proven: true,
          history: { block: 1, since: dayOf(now - 1_800 - 39 * 21_600) },
          row: [expect.stringMatching(/^Block 1 is of .*, and the first day of the row is 2020-05-30\.$/)],
          seconds_per_block: 21_600,
          limits: { calls_at_once: expect.any(Number), calls_per_second: expect.any(Number) },
          failed_checks: [],
        },
      ],
    }),
  ]);
  expect(code).toBe(0);
  expect(stdout).not.toContain(SECRET);
});

describe('for a service that runs', () => {
  const { store, cli } = useAnnouncedTable(addDays(today, -5), 'POLYGON');

  test('prints the way on from the first block that its last run refused', async () => {
    await saveLag(store(), { seen_at: new Date().toISOString(), problem: 'It forked.', refused_block: 39 });
    await using node = await startNode(137);
    const { stdout } = await cli(['doctor', '--chain', 'POLYGON', '--rpc-url', node.url], { POLYGON: [] });
    expect(stdout.replaceAll(/\n {4,}/g, ' ')).toMatch(
      /\n {2}The last run refused block 39\. .* set EVIDENCE_POLYGON to 'checked from 39', /,
    );
  });
});

test('refuses --release without a whole stage to check', async () => {
  const { code, stderr } = await runCli(['doctor', '--release'], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining('--release checks a whole stage')]);
});

test('Ctrl-C ends the checks while a node does not respond', async () => {
  let interrupt = () => {};
  await using silent = await startJsonRpcServer(() => {
    interrupt();
    return { hang: true };
  });
  const parameters = ['doctor', '--chain', 'BASE', '--rpc-url', silent.url];
  const env = { ...process.env, ...NO_SERVICE };
  const running = promisify(execFile)(process.execPath, ['bin/cli.js', ...parameters], { env });
  interrupt = () => running.child.kill('SIGINT');
  await expect(running).rejects.toMatchObject({
    code: 130,
    stdout: '',
    stderr: expect.stringContaining('Stopped before the checks were complete'),
  });
});
