import { drawDays } from '../../../cli/verify/sample.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { ingestChain } from '../../../lambda/ingest/ingest-chain.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { publishDay } from '../../../lambda/ingest/publish.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { hashOf } from '../../support/builders.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock } from '../../support/sample-chain.ts';
import { DAY, sampleBlocks } from '../../support/sample-days.ts';
import { upstreamsOf } from '../../support/source.ts';

const { table, cli } = useAnnouncedTable(DAY);
const ETHEREUM = chainOf('ETHEREUM');
const LAST = '2026-11-20';
const SECRET = 'my-secret-key-4711';

/** The sample chain, but for a price of block 2: 3 wei in place of 2, which no check can find. */
const oneWrongFee: readonly RawBlock[] = sampleBlocks.map((block, number) => ({
  ...block,
  receipts: block.receipts.map((receipt, index) =>
    number === 2 && index === 0 ? { ...receipt, effectiveGasPrice: '0x3' } : receipt,
  ),
}));

const startNode = (blocks: readonly RawBlock[] = sampleBlocks) => startJsonRpcServer(answerFrom(blocks));

/** Stores the three days of the sample chain as a node tells them. */
async function ingestFrom(node: JsonRpcServer): Promise<void> {
  const upstreams = upstreamsOf(ETHEREUM, [node]);
  const stopAt = Date.now() + 30_000;
  const { days } = await ingestChain({ chain: ETHEREUM, upstreams, table: table(), from: DAY, stopAt });
  expect(days).toHaveLength(3);
}

const verify = (parameters: readonly string[], nodes: readonly JsonRpcServer[]) =>
  cli(['verify', '--chain', 'ETHEREUM', ...parameters], { ETHEREUM: nodes.map(({ url }) => url) });
const verifyDay = (nodes: readonly JsonRpcServer[], ...more: string[]) =>
  verify(['--date', DAY, ...more], nodes);

test('with a single node it is told that figures differ, and what it takes to know why', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(liar);
  // Named once more, it would only confirm itself.
  const { code, stdout } = await verifyDay([node], '--rpc-url', node.url);
  expect(stdout).toMatch(/\nexecution fees, wei +210,000 +189,000 +≠\n/);
  expect(stdout.match(/≠/g)).toHaveLength(1);
  expect(stdout).toContain('name another with --rpc-url');
  expect(stdout).toContain('If there is none, and you trust this one, have the day read again:');
  expect(code).toBe(3);
});

test('where two nodes agree on every block, what is stored is wrong, and the line that mends it is printed', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(liar);
  const { code, stdout } = await verifyDay([node], '--rpc-url', `${node.url}/another`);
  expect(stdout).toContain(
    `${node.host} and ${node.host} (of the service) tell the same of each of its blocks`,
  );
  expect(stdout).toContain(`npx chain-insights restate --chain ETHEREUM --date ${DAY} --reason "`);
  expect(code).toBe(3);
});

test('where nodes differ, the first block that differs is shown, and whose figures are stored', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(node);
  const { code, stdout } = await verifyDay([node], '--rpc-url', `${liar.url}/${SECRET}`);
  expect(stdout).toMatch(new RegExp(`^ETHEREUM 2026-11-18, recomputed from ${liar.host}\n`));
  expect(stdout).toContain('The first block that differs is 2.');
  expect(stdout).toMatch(new RegExp(`\npart +${liar.host} +${node.host}\n`));
  expect(stdout).toMatch(/\nexecution fees, wei +105,000 +84,000 +≠\n/);
  expect(stdout).toContain(`What is stored is what ${node.host} gives, to the last wei`);
  expect(stdout).not.toContain(SECRET);
  expect(code).toBe(3);
});

test('a day that ends with another block, and is of neither node, is told so as data', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  const [first, last] = [1, 3].map((number) => ({ number, hash: hashOf(`sample ${number}`) }));
  await publishDay(
    table(),
    'ETHEREUM',
    { ...startProgress(DAY, last), first, hosts: [] },
    { number: 4, hash: hashOf('sample 4') },
    0,
  );
  const { code, stdout } = await verifyDay([node, liar], '--json');
  expect(JSON.parse(stdout)).toEqual({
    days: [
      {
        ...{ chain: 'ETHEREUM', date: DAY, endpoint: node.host, equal: false },
        differing: ['block_count', 'transaction_count', 'execution_fees', 'last_block'],
        stored: expect.objectContaining({ execution_fees: '0', last_block: last }),
        recomputed: expect.objectContaining({ execution_fees: '189000', first_block: first }),
        second: {
          ...{ result: 'nodes differ', endpoint: liar.host, gives_what_is_stored: false },
          first_block_that_differs: 2,
          told: {
            [node.host]: expect.objectContaining({
              execution_fees: '84000',
              time: '2026-11-18T00:00:12.000Z',
            }),
            [liar.host]: expect.objectContaining({ execution_fees: '105000' }),
          },
        },
      },
    ],
  });
  expect(code).toBe(3);
});

test('a node that does not have the day yet is passed over, and the next shows that all is equal', async () => {
  await using node = await startNode();
  await using behind = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 3 }));
  await ingestFrom(node);
  const reason = `${behind.host}: its newest final block, 3, is of 2026-11-18T00:00:12.000Z, before that day ends`;
  const { code, stdout, stderr } = await verifyDay([behind, node]);
  expect(stdout).toContain(`ETHEREUM ${DAY}, recomputed from ${node.host}\n\nPassed over: ${reason}\n`);
  expect(stdout).toMatch(/\ntransactions +4 +4\n/);
  expect(stdout).toMatch(/\nexecution fees, wei +189,000 +189,000\n/);
  expect(stdout).toMatch(/\nlast block +4 0x\w{8}… +4 0x\w{8}…\n/);
  expect(stdout).toMatch(/\nThe stored figures are those that the blocks give\.\n$/);
  expect(stdout).not.toContain('≠');
  expect([code, stderr]).toEqual([0, '']);

  const alone = await verifyDay([behind]);
  expect(alone.stderr).toBe(
    `ETHEREUM 2026-11-18 could not be recomputed. ${reason}. Name a node that has the blocks and receipts of that day with --rpc-url.\n`,
  );
  expect([alone.code, alone.stdout]).toEqual([1, '']);
});

test('of a day that is not final it tells what coverage would', async () => {
  await using node = await startNode();
  await ingestFrom(node);
  const { code, stderr } = await verify(['--date', '2026-11-21'], [node]);
  expect(stderr).toBe(
    'ETHEREUM 2026-11-21 is not final, so there is nothing to verify. Its final days lie from 2026-11-18 to 2026-11-20: npx chain-insights coverage --chain ETHEREUM shows them.\n',
  );
  expect(code).toBe(1);
});

test('a sample is the same for the same seed, has a line a day, and the details of those that differ', async () => {
  await using node = await startNode();
  await using liar = await startNode(oneWrongFee);
  await ingestFrom(liar);
  const parameters = ['--sample', '9', '--seed', String(seed), '--skip', '1'];
  const { code, stdout, stderr } = await verify(parameters, [node]);
  expect(stderr).toBe(`Drawn with --seed ${seed} from 3 final days.\n`);
  const lines = drawn(seed)
    .slice(1)
    .map((day) => `ETHEREUM +${day} +\\d +${node.host} +${day === DAY ? 'differs' : 'equal'}`);
  expect(stdout).toMatch(new RegExp(`^chain .*\n${lines.join('\n')}\n\nETHEREUM ${DAY}, recomputed from`));
  expect(stdout.match(/, recomputed from/g)).toHaveLength(1);
  expect(code).toBe(3);
});

/** The days of the sample chain in the order in which a seed draws them. */
const drawn = (seed: number) =>
  drawDays(
    [DAY, '2026-11-19', LAST].map((day) => ({ chain: 'ETHEREUM', day })),
    seed,
    3,
  ).map(({ day }) => day);
/** One that draws the first day second. */
const seed = Array.from({ length: 50 }, (_, index) => index).find((index) => drawn(index)[1] === DAY) ?? 0;

test('Ctrl-C keeps what is verified and says the line that goes on with the rest', async () => {
  await using good = await startNode();
  await ingestFrom(good);
  let interrupt = () => {};
  const answer = answerFrom(sampleBlocks);
  const isOfDay = ({ method, params }: Call) => method === 'eth_getBlockReceipts' && Number(params[0]) === 1;
  await using silent = await startJsonRpcServer((call): Answer => {
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
    `Stopped after 1 of 3 days; nothing was written. To go on: npx chain-insights verify --sample 3 --seed ${seed} --skip 1\n`,
  );
  expect(code).toBe(130);
});

test('what is no URL is not repeated in the error, for it may hold a secret', async () => {
  const { code, stderr } = await verifyDay([], '--rpc-url', `ftp://node.example/${SECRET}`);
  expect(stderr).toBe(
    '--rpc-url: number 1 of 1 is no http or https URL, such as https://node.example/key.\n',
  );
  expect(code).toBe(2);
});
