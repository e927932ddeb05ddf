import { verifyCommand } from '#cli/commands/verify.ts';
import { drawDays } from '#cli/verify/verify-days.ts';
import { chainOf } from '#core/chains/chains.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { chainStore } from '#core/store/table/table.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, oneWrongFee, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import {
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
  UNAVAILABLE,
} from '#test/support/nodes/json-rpc-server.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { table, cli } = useAnnouncedTable(DAY);
const ETHEREUM = chainOf('ETHEREUM');
const LAST = '2026-11-20';
const SECRET = 'my-secret-key-4711';

const startNode = (blocks: readonly RawBlock[] = sampleBlocks) => startJsonRpcServer(answerFrom(blocks));

/** Ingests the three days of the sample chain from a node, whether its blocks can be proven or not. */
async function ingestFrom(node: JsonRpcServer): Promise<void> {
  const upstreams = upstreamsOf(ETHEREUM, [node]);
  const stopAt = Date.now() + 30_000;
  const store = chainStore(table(), 'ETHEREUM');
  const { days } = await ingestChain({
    chain: ETHEREUM,
    upstreams,
    store,
    from: DAY,
    stopAt,
    evidence: 'checked',
  });
  expect(days).toHaveLength(3);
}

const verify = (parameters: readonly string[], nodes: readonly JsonRpcServer[]) =>
  cli(['verify', '--chain', 'ETHEREUM', ...parameters], { ETHEREUM: nodes.map(({ url }) => url) });
const verifyDay = (nodes: readonly JsonRpcServer[], ...more: string[]) =>
  verify(['--date', DAY, ...more], nodes);

test('contradicts stored figures with a proof, and suggests to restate the day from the same endpoint', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(liar);
  const { code, stdout } = await verifyDay([liar], '--rpc-url', `${node.url}/${SECRET}`);
  expect(stdout).toMatch(new RegExp(`^ETHEREUM 2026-11-18, recomputed from ${node.host}\n`));
  expect(stdout).toMatch(/\nexecution_fees +168,000 +189,000 +≠\n/);
  expect(stdout).toContain(
    `\n4 of 4 blocks are proven. The last one is ${refAt(sampleBlocks, 4).hash}, which the first block of 2026-11-19 names as its parent.`,
  );
  expect(stdout).toMatch(
    /so the stored ones are wrong\..*\n {2}npx --no chain-insights restate .* --rpc-url …\n$/,
  );
  expect(stdout).not.toContain(SECRET);
  expect(code).toBe(3);
});

test('skips an endpoint without the day and verifies with the next', async () => {
  await using node = await startNode();
  await using behind = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 3 }));
  await ingestFrom(node);
  const { code, stdout, stderr } = await verifyDay([behind, node]);
  expect(stdout).toContain(
    `ETHEREUM ${DAY}, recomputed from ${node.host}\n\nSkipped ${behind.host}: its newest finalized block, 3, `,
  );
  expect(stdout).toMatch(/\ntransaction_count +4 +4\n/);
  expect(stdout).toMatch(/\nexecution_fees +189,000 +189,000\n/);
  expect(stdout).toMatch(/\nlast_block +4 0x\w{8}… +4 0x\w{8}…\n/);
  expect(stdout).toMatch(/\nThe stored figures match the blocks\.\n$/);
  expect(stdout).not.toContain('≠');
  expect([code, stderr]).toEqual([0, '']);
});

test('does not replace a failing --rpc-url endpoint by those of the service, and prints the reason as JSON', async () => {
  await using node = await startNode();
  await using broken = await startJsonRpcServer(() => UNAVAILABLE);
  await ingestFrom(node);
  const { code, stdout, stderr } = await verifyDay([node], '--json', '--rpc-url', `${broken.url}/${SECRET}`);
  const reason = expect.stringMatching(
    new RegExp(`^ETHEREUM ${DAY} cannot be recomputed: .*${broken.host}: eth_chainId: .*503`),
  );
  expect(JSON.parse(stdout)).toEqual({ days: [{ chain: 'ETHEREUM', date: DAY, reason }] });
  expect(stderr).toEqual(reason);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(code).toBe(1);
});

const anchors: Readonly<Record<string, string>> = {
  [DAY]: '2026-11-19',
  '2026-11-19': '2026-11-20',
  // The running day is read by the ingest.
  '2026-11-20': '2026-11-21',
};

test('lists a sample with a line per day, and the details of days that differ', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(liar);
  const parameters = ['--sample', '9', '--seed', String(seed), '--skip', '1'];
  const skipped = await verify([...parameters.slice(0, -1), '3'], [node]);
  expect(skipped.stderr).toContain('--skip 3 leaves none of the 3 sampled days. Skip fewer, or');
  expect(skipped.code).toBe(2);
  const { code, stdout, stderr } = await verify(parameters, [node]);
  expect(stderr).toMatch(new RegExp(`^Sampled with --seed ${seed} from 3 final days\\.\n`));
  const lines = drawn(seed)
    .slice(1)
    .map(
      (day) =>
        `ETHEREUM +${day} +\\d +\\d +${node.host} +${anchors[day]} +${day === DAY ? 'differs' : 'equal'}`,
    );
  expect(stdout).toMatch(new RegExp(`^chain .*\n${lines.join('\n')}\n\nETHEREUM ${DAY}, recomputed from`));
  expect(stdout.match(/, recomputed from/g)).toHaveLength(1);
  expect(code).toBe(3);
});

/** Returns the days of the sample chain in the order that a seed draws them. */
const drawn = (seed: number) =>
  drawDays(
    [DAY, '2026-11-19', LAST].map((day) => ({ chain: 'ETHEREUM', day })),
    seed,
    3,
  ).map(({ day }) => day);
/** A seed that draws the first day second. */
const seed = Array.from({ length: 50 }, (_, index) => index).find((index) => drawn(index)[1] === DAY) ?? 0;

test('Ctrl-C prints the days verified so far and the command that continues', async () => {
  await using good = await startNode();
  await ingestFrom(good);
  let interrupt = () => {};
  const answer = answerFrom(sampleBlocks);
  const isOfDay = ({ method, params }: Call) => method === 'eth_getBlockReceipts' && Number(params[0]) === 1;
  await using silent = await startJsonRpcServer((call) => {
    if (!isOfDay(call)) return answer(call);
    interrupt();
    return { hang: true };
  });
  const { code, stdout, stderr } = await cli(
    ['verify', '--sample', '3', '--seed', String(seed)],
    { ETHEREUM: [silent.url] },
    (_, stop) => {
      interrupt = stop;
    },
  );
  expect(stdout).toMatch(new RegExp(`ETHEREUM ${drawn(seed)[0]}, recomputed from .*`));
  expect(stderr).toContain(
    `Stopped after 1 of 3 days. To continue: npx --no chain-insights verify --sample 3 --seed ${seed} --skip 1\n`,
  );
  expect(code).toBe(130);
});

test.each(['--sample', '--seed', '--skip'])('refuses %s with --date', async (option) => {
  const printed: string[] = [];
  const command = verifyCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => printed.push(text) })
    .action(() => {});
  const line = (...more: string[]) => command.parseAsync(['--date', DAY, ...more], { from: 'user' });
  await line();
  await expect(line(option, '1')).rejects.toMatchObject({ code: 'commander.conflictingOption' });
  expect(printed.join('')).toContain(`option '--date <day>' cannot be used with option '${option} <n>'`);
});
