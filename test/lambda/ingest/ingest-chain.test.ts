import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { totalFees } from '../../../lambda/chains/fees.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays, startOfDay } from '../../../lambda/chains/utc-day.ts';
import { type IngestReport, ingestChain } from '../../../lambda/ingest/ingest-chain.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { queryDays } from '../../../lambda/store/days.ts';
import { hashOf } from '../../support/builders.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock, sampleChain, sampleSums } from '../../support/sample-chain.ts';
import { useTable } from '../../support/table.ts';

const ethereum = chainOf('ETHEREUM');
const table = useTable();

const DAY = '2026-11-18';
const at = (days: number, seconds: number) => startOfDay(addDays(DAY, days)) + seconds;

/** Genesis the day before; blocks 1 to 4 on the first day, 5 to 7 on the second, none on the third, then 8 and 9. */
const times = [
  at(-1, 80_000),
  ...[at(0, 0), at(0, 12), at(0, 12), at(0, 86_399)],
  ...[at(1, 5), at(1, 40_000), at(1, 80_000)],
  ...[at(3, 0), at(3, 12)],
];
const blocks = sampleChain(times);

function run(
  nodes: readonly JsonRpcServer[],
  { from = DAY, stopAt = Date.now() + 60_000 } = {},
): Promise<IngestReport> {
  const endpoints = nodes.map(({ url }) => endpointOf(ethereum, url));
  return ingestChain({ chain: ethereum, endpoints, table: table(), from, stopAt });
}

async function ingestFrom(
  answer: (call: Call) => Answer | Promise<Answer>,
  options: Parameters<typeof run>[1] = {},
) {
  await using node = await startJsonRpcServer(answer);
  return await run([node], options);
}

async function storedDays() {
  const days = await queryDays(table(), 'ETHEREUM', '0000-01-01', '9999-12-31');
  return days.map(({ day, totals, first, last }) => ({
    day,
    blocks: totals.blocks,
    transactions: totals.transactions,
    fees: totalFees(totals.fees),
    range: [first?.number, last.number],
  }));
}

const wholeDays = [
  { day: '2026-11-18', blocks: 4, ...sampleSums(1, 4), range: [1, 4] },
  { day: '2026-11-19', blocks: 3, ...sampleSums(5, 7), range: [5, 7] },
  { day: '2026-11-20', blocks: 0, transactions: 0, fees: 0n, range: [undefined, 7] },
];

test('each day that is over and final is published with exact sums, and a day without blocks as zeros', async () => {
  const report = await ingestFrom(answerFrom(blocks));
  expect(report).toEqual({
    chain: 'ETHEREUM',
    outcome: 'up to date',
    days: ['2026-11-18', '2026-11-19', '2026-11-20'],
    blocks: 9,
  });
  expect(await storedDays()).toEqual(wholeDays);
});

test('nothing above the finalized block is read, and no day is published before the next one has begun', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks, { finalized: 7 }));
  expect(await run([node])).toMatchObject({ outcome: 'up to date', days: ['2026-11-18'] });
  expect(await storedDays()).toEqual(wholeDays.slice(0, 1));
  expect(node.calls.filter(({ params: [number] }) => Number(number) > 7)).toEqual([]);
});

test('each block is asked for with two calls, and nothing before the day is read but its boundary', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks.slice(0, 5)));
  await run([node]);
  const counted = Object.groupBy(node.calls, ({ method }) => method);
  expect(counted.eth_getBlockReceipts?.map(({ params: [number] }) => number)).toEqual([
    '0x1',
    '0x2',
    '0x3',
    '0x4',
  ]);
});

test('the next run goes on where the last one stopped', async () => {
  await ingestFrom(answerFrom(blocks, { finalized: 6 }));
  expect((await getCheckpoint(table(), 'ETHEREUM', '2026-11-19')).progress?.last?.number).toBe(6);

  await using node = await startJsonRpcServer(answerFrom(blocks));
  await run([node]);
  expect(node.calls.filter(({ params: [number] }) => number === '0x5' || number === '0x6')).toEqual([]);
  expect(await storedDays()).toEqual(wholeDays);
});

test('a run that is out of time ends with its progress saved', async () => {
  const report = await ingestFrom(answerFrom(blocks), { stopAt: 0 });
  expect(report).toMatchObject({ outcome: 'out of time', days: [], blocks: 1 });
  expect((await getCheckpoint(table(), 'ETHEREUM', DAY)).progress).toMatchObject({ last: { number: 1 } });
  expect(await storedDays()).toEqual([]);
});

test('slices of one block each come to the same figures as one long run', async () => {
  for (let runs = 0; runs < 12; runs++) await ingestFrom(answerFrom(blocks), { stopAt: 0 });
  expect(await storedDays()).toEqual(wholeDays);
});

test('two runs at once publish each day once, with the same figures', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const reports = await Promise.all([run([node]), run([node]), run([node])]);
  expect(reports.map(({ outcome }) => outcome)).toContain('up to date');
  await run([node]);
  expect(await storedDays()).toEqual(wholeDays);
});

test('a final day with its checkpoint left over is tidied up and not read again', async () => {
  await ingestFrom(answerFrom(blocks, { finalized: 8 }));
  const left = { day: DAY, last: { number: 2, hash: hashOf('sample 2') }, notBefore: 0, totals: NO_TOTALS };
  await saveCheckpoint(table(), 'ETHEREUM', left, 0);
  await table().client.send(
    new DeleteCommand({ TableName: table().name, Key: { chain: 'ETHEREUM', date: 'coverage' } }),
  );

  await using node = await startJsonRpcServer(answerFrom(blocks, { finalized: 8 }));
  expect(await run([node])).toMatchObject({ outcome: 'up to date', days: [], blocks: 0 });
  expect(await getCheckpoint(table(), 'ETHEREUM', DAY)).toEqual({ sequence: 0 });
  expect(await getCoverage(table(), 'ETHEREUM')).toMatchObject({
    from: DAY,
    through: '2026-11-20',
    last: '2026-11-20',
  });
});

test('a run that another has overtaken ends, and what the other saved stands', async () => {
  const other = {
    day: DAY,
    last: { number: 4, hash: hashOf('sample 4') },
    notBefore: at(0, 86_399),
    totals: NO_TOTALS,
  };
  const answer = answerFrom(blocks);
  const report = await ingestFrom(
    async (call) => {
      if (call.params[0] === '0x2') await saveCheckpoint(table(), 'ETHEREUM', other, 0);
      return answer(call);
    },
    { stopAt: 0 },
  );
  expect(report).toMatchObject({ outcome: 'overtaken by another run', days: [] });
  expect((await getCheckpoint(table(), 'ETHEREUM', DAY)).progress).toMatchObject({ last: { number: 4 } });
});

test('on the way the progress is saved every few seconds', async () => {
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => {
    now += 6_000;
    return now;
  });
  await ingestFrom(answerFrom(blocks, { finalized: 3 }), { stopAt: now + 3_600_000 });
  clock.mockRestore();
  expect(await getCheckpoint(table(), 'ETHEREUM', DAY)).toMatchObject({
    sequence: 3,
    progress: { last: { number: 3 } },
  });
});

test('a start date in the future is waited for', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks));
  expect(await run([node], { from: '2030-01-01' })).toMatchObject({ outcome: 'up to date', blocks: 0 });
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_getBlockByNumber']);
});

test("days before the chain's first are passed over, though Ethereum's genesis has the time 0", async () => {
  const early = sampleChain([
    0,
    Date.parse('2015-07-30T15:26:28Z') / 1000,
    Date.parse('2015-07-31T00:00:01Z') / 1000,
  ]);
  expect(await ingestFrom(answerFrom(early), { from: '2015-01-01' })).toMatchObject({ days: ['2015-07-30'] });
});

test('when the table is away the run ends with that reason', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const away = { ...table(), name: 'no-such-table' };
  const endpoints = [endpointOf(ethereum, node.url)];
  const report = await ingestChain({
    chain: ethereum,
    endpoints,
    table: away,
    from: DAY,
    stopAt: Date.now() + 60_000,
  });
  expect(report).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('The table is not available'),
  });
});

test('an earlier start date is filled in, and what is there is kept', async () => {
  await ingestFrom(answerFrom(blocks), { from: '2026-11-19' });
  expect(await ingestFrom(answerFrom(blocks))).toMatchObject({ days: ['2026-11-18'], blocks: 4 });
  expect(await storedDays()).toEqual(wholeDays);
});

test('days before genesis are no zeros: the chain begins with the day of its first block', async () => {
  const report = await ingestFrom(answerFrom(blocks), { from: '2026-11-10' });
  expect(report.days).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']);
});

describe('when nodes go wrong', () => {
  const without = (number: number, change: (block: RawBlock) => RawBlock) =>
    answerFrom(blocks.map((block, index) => (index === number ? change(block) : block)));
  const lostReceipt = without(4, (block) => ({ ...block, receipts: [] }));

  test('a bad block from one endpoint is asked for at the next', async () => {
    await using bad = await startJsonRpcServer(lostReceipt);
    await using good = await startJsonRpcServer(answerFrom(blocks));
    expect(await run([bad, good])).toMatchObject({ outcome: 'up to date' });
    expect(await storedDays()).toEqual(wholeDays);
    expect(good.calls.filter(({ method }) => method === 'eth_getBlockReceipts')).toHaveLength(1);
  });

  test('the day stops with the reason of each endpoint, keeps its progress, and goes on when they are well', async () => {
    await using bad = await startJsonRpcServer(lostReceipt);
    await using busy = await startJsonRpcServer((call) =>
      call.method === 'eth_chainId' ? { result: '0x1' } : { status: 429, body: 'slow down' },
    );
    const report = await run([bad, busy]);
    expect(report).toMatchObject({ outcome: 'failed', days: [], blocks: 2 });
    expect(report.reason).toContain(`${bad.host}: ETHEREUM block 4: 1 transactions, but 0 receipts`);
    expect(report.reason).toContain(`${busy.host}: eth_getBlockByNumber 0x4 false: HTTP status 429`);
    expect(await storedDays()).toEqual([]);
    expect((await getCheckpoint(table(), 'ETHEREUM', DAY)).progress?.last?.number).toBe(2);

    await ingestFrom(answerFrom(blocks));
    expect(await storedDays()).toEqual(wholeDays);
  });

  test('a block that is not the child of the one before it is never counted', async () => {
    const report = await ingestFrom(
      without(3, (block) => ({ ...block, header: { ...block.header, parentHash: hashOf('fork') } })),
    );
    expect(report).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('ETHEREUM block 3: its parent is'),
    });
    expect(await storedDays()).toEqual([]);
  });

  test('an unknown transaction type stops the day and names itself', async () => {
    const report = await ingestFrom(
      without(4, (block) => ({
        ...block,
        receipts: block.receipts.map((receipt) => ({ ...receipt, type: '0x42' })),
      })),
    );
    expect(report.reason).toMatch(
      /ETHEREUM block 4, transaction 0x[0-9a-f]{64}: no fee rule covers its type 0x42/,
    );
  });

  test('a node of another chain is never read', async () => {
    await using node = await startJsonRpcServer(answerFrom(blocks, { chainId: 56 }));
    const report = await run([node]);
    expect(report.reason).toContain('this is chain 56, and ETHEREUM is chain 1');
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_chainId']);
  });

  test('a node that does not know a finalized block yet is not asked for the latest', async () => {
    await using node = await startJsonRpcServer(({ method }) =>
      method === 'eth_chainId' ? { result: '0x1' } : { error: { code: -39001, message: 'unknown block' } },
    );
    const report = await run([node]);
    expect(report.reason).toContain('error -39001, unknown block');
    expect(node.calls.flatMap(({ params }) => params)).not.toContain('latest');
  });
});
