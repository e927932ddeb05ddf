import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '#core/figures/calendar.ts';
import { chainStore } from '#core/store/table/table.ts';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import { problemResponse } from '#lambda/api/problem.ts';
import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { type Handlers, loadHandlers } from '#local/handlers.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import {
  clients,
  commandWith,
  copyExamples,
  guide,
  run,
  testWith,
} from '#test/support/processes/client-process.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { putRunningDay } from '#test/support/tables/put-running-day.ts';

/* Runs the commands of docs/clients.md against the service, each if its runtime is installed. */

/** A range, and its days that have figures. */
interface Range {
  readonly chain: ChainName;
  readonly first: string;
  readonly last: string;
  readonly days: readonly UtcDay[];
  /** Numbers of the other days that are over, and that are not. */
  readonly missing: number;
  readonly notOver: number;
}

const today = dayOf(Date.now() / 1_000);
const thirtyDays = Array.from({ length: 30 }, (_, index) => addDays(today, index - 30));
const month: Range = {
  chain: 'ETHEREUM',
  first: '30-days-ago',
  last: 'yesterday',
  days: thirtyDays.filter((_, index) => index !== 18),
  missing: 1,
  notOver: 0,
};
const { firstDay } = chainOf('BASE');
const secondDay = addDays(firstDay, 1);
const beginning: Range = {
  chain: 'BASE',
  first: addDays(firstDay, -3),
  last: secondDay,
  days: [firstDay, secondDay],
  missing: 0,
  notOver: 0,
};
const future: Range = {
  chain: 'ETHEREUM',
  first: '2999-12-01',
  last: '2999-12-02',
  days: [],
  missing: 0,
  notOver: 2,
};

/** Fees with all of their digits, which a floating-point number could not hold. */
const weiOn = (day: UtcDay): bigint =>
  BigInt(thirtyDays.indexOf(day) + 1) * 1_123_456_789_012_345_679n + 290n * 10n ** 18n;

/** Formats all 18 fractional digits, as the tables do. */
const coins = (wei: bigint) => wei.toString().replace(/\d{18}$/, '.$&');
/** Omits trailing zeros, as the API does. */
const fees = (day: UtcDay) => coins(weiOn(day)).replace(/\.?0+$/, '');

let table: EmbeddedTable;
let api: Gateway;
let folder: string;

/** Throttles the first request of each key, and refuses the key that has used up its quota. */
function throttled(handler: Handlers['get-fees']): Handlers['get-fees'] {
  const seen = new Set<string>();
  return async (event, context) => {
    const key = event.headers['x-api-key'] ?? '';
    if (key === 'spent') return problemResponse(gatewayProblems.QUOTA_EXCEEDED, 'id');
    if (seen.has(key)) return handler(event, context);
    seen.add(key);
    return problemResponse(gatewayProblems.THROTTLED, 'id');
  };
}

beforeAll(async () => {
  table = await startEmbeddedTable();
  for (const { chain, days } of [month, beginning]) {
    for (const day of days) {
      await putStoredDay(table, servedDay(chain, day, { transaction_count: 9, fees: fees(day) }), undefined);
    }
    await refreshCoverage(chainStore(table, chain), days[0] ?? '');
  }
  await putRunningDay(chainStore(table, 'ETHEREUM'), today, 5);
  const handlers = await loadHandlers(table);
  api = await startGateway({ port: 0 }, async (key) => key !== 'wrong', {
    ...handlers,
    'get-fees': throttled(handlers['get-fees']),
  });
  folder = copyExamples();
});
afterAll(async () => {
  await api.close();
  await table.close();
});

const line = (title: string, amount: string) => title + amount.padStart(41 - title.length);

const notes = ({ missing, notOver }: Range): (readonly [string, number])[] =>
  [['days without a figure', missing] as const, ['days that are not over', notOver] as const].filter(
    ([, count]) => count > 0,
  );

function asTable(range: Range): string {
  const { first, last, days } = range;
  const sum = coins(days.map(weiOn).reduce((a, b) => a + b, 0n));
  return [
    ...days.map((day) => line(day, coins(weiOn(day)))),
    days.length === 0
      ? `No day from ${first} to ${last} has a figure.`
      : `${line(`${days.length}-day sum`, sum)} ETH`,
    ...notes(range).map(([text, count]) => `${text}: ${count}`),
    '',
  ].join('\n');
}

const asCsv = ({ days }: Range) =>
  ['date,fees', ...days.map((day) => `${day},${fees(day)}`), ''].join('\r\n');

const asPrintedCsv = (range: Range) =>
  `${asCsv(range).replaceAll(',', '\t')}days with a figure: ${range.days.length}; ` +
  `without: ${range.missing}; not over: ${range.notOver}\n`;

const asCells = (range: Range) =>
  `${JSON.stringify([['date', 'ETH'], ...range.days.map((day) => [day, fees(day)]), ...notes(range)])}\n`;

describe.each([
  { ...clients.typescript, output: asTable },
  { ...clients.python, output: asTable },
  { ...clients.curl, output: asPrintedCsv },
  { ...clients.sheets, output: asCells },
])('$file', ({ file, command, runtime, output }) => {
  const testIt = testWith(runtime);
  const runClient = ({ key = `key of ${file}`, url = api.url, what = command } = {}) =>
    run(what, { folder, url, key });

  testIt('waits for Retry-After, then prints the month with every digit', async () => {
    expect(await runClient()).toMatchObject({ code: 0, stdout: output(month) });
  });

  testIt('counts the days without a figure, and prints no sum without figures', async () => {
    for (const range of [beginning, future]) {
      const { chain, first, last } = range;
      const what = command.replace('ETHEREUM 30-days-ago yesterday', `${chain} ${first} ${last}`);
      expect(await runClient({ what })).toMatchObject({ code: 0, stdout: output(range) });
    }
  });

  testIt('accepts a URL with a trailing slash, as the stack outputs it', async () => {
    expect(await runClient({ url: `${api.url}/` })).toMatchObject({ code: 0 });
  });

  testIt('reports an invalid key or an exhausted quota without a retry', async () => {
    for (const [key, problem] of [
      ['wrong', gatewayProblems.INVALID_API_KEY],
      ['spent', gatewayProblems.QUOTA_EXCEEDED],
    ] as const) {
      const { code, stdout, stderr } = await runClient({ key });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(problem.detail);
    }
  });
});

test('a cell shows the running day, or that no block of it is final', async () => {
  const cells = async (chain: string) => {
    const what = clients.sheets.command.replace(/CHAIN_INSIGHTS_FEES .*/, `CHAIN_INSIGHTS_TODAY ${chain}`);
    return JSON.parse((await run(what, { folder, url: api.url, key: 'key of today' })).stdout);
  };
  const titles = ['transactions', 'fees', 'through'];
  expect(await cells('ETHEREUM')).toEqual([titles, [5, '0.005', `${today}T00:05:00.000Z`]]);
  expect(await cells('BASE')).toEqual([titles, ['', '', 'no block is final yet']]);
});

test('a cell says an error once, and several each on a line', async () => {
  const errorOf = async (parameters: string) => {
    const what = clients.sheets.command.replace('ETHEREUM 30-days-ago yesterday', parameters);
    const { stderr } = await run(what, { folder, url: api.url, key: 'key of errors' });
    return stderr;
  };
  // The first request of the key is throttled, and repeated.
  const one = await errorOf('ETHEREUM 30-days-ago never');
  expect(one.match(/end_date/g)).toHaveLength(1);
  const two = await errorOf('NOTHING 30-days-ago never');
  expect(two).toMatch(/chain .*\nend_date /);
  expect(two).not.toContain('See errors');
});

describe('the curl one-liner', () => {
  const testIt = testWith('curl');
  const runCurl = (key: string) => run(commandWith('curl -fsS'), { folder, url: `${api.url}/`, key });
  const written = () => readFileSync(join(folder, 'fees.csv'), 'utf8');

  testIt('writes the same file', async () => {
    await runCurl('key of a line');
    expect(await runCurl('key of a line')).toMatchObject({ code: 0 });
    expect(written()).toBe(asCsv(month));
  });

  testIt('leaves the file unchanged for an invalid key', async () => {
    writeFileSync(join(folder, 'fees.csv'), 'kept');
    expect(await runCurl('wrong')).toMatchObject({ code: 22, stderr: expect.stringContaining('403') });
    expect(written()).toBe('kept');
  });
});

test('the guide shows the actual output', () => {
  const undated = (text: string) => text.replaceAll(/^\d{4}-\d\d-\d\d/gm, 'date');
  const [, start = '', end] = /```\n(\d{4}-.*?)…\n(.*?)```/s.exec(guide) ?? [];
  expect(undated(asTable(month)).slice(0, undated(start).length)).toBe(undated(start));
  expect(undated(asTable(month)).slice(-undated(end ?? '?').length)).toBe(undated(end ?? ''));
});

test.each([
  ['ts', 'node program.ts'],
  ['python', 'python3 program.py'],
])('the %s programs of the guide run as they stand', async (language, command) => {
  const programs = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))];
  const [program = ''] = programs.map(([, text = '']) => text).filter((text) => text.includes('import'));
  writeFileSync(join(folder, `program.${language === 'ts' ? 'ts' : 'py'}`), program);
  const { code, stdout } = await run(command, { folder, url: api.url, key: `key of ${language}` });
  const sum = coins(month.days.map(weiOn).reduce((a, b) => a + b)).replace(/0+$/, '');
  expect([code, stdout.trimEnd().replaceAll('0 ETH', ' ETH')]).toEqual([0, expect.stringContaining(sum)]);
  expect(stdout).toMatch(/ ETH 1\n$/);
});
