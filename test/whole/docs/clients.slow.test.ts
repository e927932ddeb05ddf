import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { refreshCoverage } from '#core/store/refresh-coverage.ts';
import { putStoredDay } from '#core/store/stored-days.ts';
import { chainStore } from '#core/store/table.ts';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import { problemResponse } from '#lambda/api/problem.ts';
import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { type Handlers, loadHandlers } from '#local/handlers.ts';
import { servedDay } from '#test/support/generators/served-days.ts';
import {
  clients,
  commandWith,
  copyExamples,
  guide,
  run,
  testWith,
} from '#test/support/processes/client-process.ts';

/* Runs the commands of docs/clients.md against the service, each if its runtime is installed. */

/** A range, and its days that have figures. */
interface Range {
  readonly chain: ChainName;
  readonly first: UtcDay;
  readonly last: UtcDay;
  readonly days: readonly UtcDay[];
  /** Number of the other days that X-Days-Missing counts, and of all other days. */
  readonly notFinal: number;
  readonly without: number;
}

const month: Range = {
  chain: 'ETHEREUM',
  first: '2025-11-01',
  last: '2025-11-30',
  days: Array.from({ length: 30 }, (_, index) => addDays('2025-11-01', index)).filter(
    (day) => day !== '2025-11-19',
  ),
  notFinal: 1,
  without: 1,
};
const { firstDay } = chainOf('BASE');
const secondDay = addDays(firstDay, 1);
const beginning: Range = {
  chain: 'BASE',
  first: addDays(firstDay, -3),
  last: secondDay,
  days: [firstDay, secondDay],
  notFinal: 0,
  without: 3,
};
const future: Range = {
  chain: 'ETHEREUM',
  first: '2999-12-01',
  last: '2999-12-02',
  days: [],
  notFinal: 0,
  without: 2,
};

/** Fees with all of their digits, which a floating-point number could not hold. */
const weiOn = (day: UtcDay): bigint => BigInt(day.slice(8)) * 1_123_456_789_012_345_679n + 290n * 10n ** 18n;

/** Formats all 18 fractional digits, as the tables do. */
const coins = (wei: bigint) => wei.toString().replace(/\d{18}$/, '.$&');
/** Omits trailing zeros, as the API does. */
const fees = (day: UtcDay) => coins(weiOn(day)).replace(/0+$/, '');

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
      await putStoredDay(table, servedDay(chain, day, { transaction_count: 9, fees: fees(day) }), 0);
    }
    await refreshCoverage(chainStore(table, chain), days[0] ?? '');
  }
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

function asTable({ first, last, days, without }: Range): string {
  if (days.length === 0) return `No day from ${first} to ${last} has a figure.\n`;
  const sum = coins(days.map(weiOn).reduce((a, b) => a + b));
  return [
    ...days.map((day) => line(day, coins(weiOn(day)))),
    `${line(`${days.length}-day sum`, sum)} ETH`,
    `days without a figure: ${without}`,
    '',
  ].join('\n');
}

const asCsv = ({ days }: Range) =>
  ['date,fees', ...days.map((day) => `${day},${fees(day)}`), ''].join('\r\n');

const asPrintedCsv = (range: Range) =>
  `${asCsv(range).replaceAll(',', '\t')}days with a figure: ${range.days.length}; ` +
  `without, from the chain's first to yesterday: ${range.notFinal}\n`;

function asCells({ days, without }: Range): string {
  const rows = days.map((day) => [day, fees(day)]);
  return `${JSON.stringify([['date', 'ETH'], ...rows, ['days without a figure', without]])}\n`;
}

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
      const what = command.replace('ETHEREUM 2025-11-01 2025-11-30', `${chain} ${first} ${last}`);
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
  const [, start = '', end] = /```\n(2025-11-01.*?)…\n(.*?)```/s.exec(guide) ?? [];
  expect(asTable(month).slice(0, start.length)).toBe(start);
  expect(asTable(month).slice(-(end ?? '?').length)).toBe(end);
});
