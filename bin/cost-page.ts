import { chainNames, chainOf, defaultChainNames } from '../core/chains/chains.ts';
import type { Stage } from '../lib/chain-insights-stack.ts';
import { dev } from '../lib/stages/dev.ts';
import { prod } from '../lib/stages/prod.ts';
import { ceilingRows } from './cost-ceilings.ts';
import { countIn } from './cost-counts.ts';
import { DAYS, loads, PRICE } from './cost-prices.ts';
import { markdownTable } from './markdown-table.ts';

/* The tables of docs/operate/cost.md. They price the stage that the README deploys. */

/** Dollars a month that hardly depend on the stage: see the page. */
const FIXED = { table: 0.51, logs: 0.12, probe: 0.18 };
/** Dollars of a million requests for 30 days: see the page. */
const REQUESTS = 4.45;
const RUNS_A_DAY = 288;
/** The size of a call to a node: measured, and 74 bytes for TLS, TCP and IP. */
export const REQUEST_KB = 0.35;
/** Megabytes that 1,024 MB of memory prove in a second, by our estimate. */
const PROVEN_MB = 26;
/** Calls a second that a public endpoint allows, as providers publish, and calls that a block takes. */
const CALLS = { least: 42, most: 100, ofBlock: 2 };

type Load = (typeof loads)[keyof typeof loads];

type Counted = ReturnType<typeof countIn>;

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);

/** Returns the seconds that the runs of a day take: they wait for nodes, or prove. */
const secondsOf = ({ blocks, mb }: Load, blocksASecond: number, memory: number): number =>
  Math.max(blocks / blocksASecond, mb / ((PROVEN_MB * memory) / 1_024)) + RUNS_A_DAY;

const dollarsOf = (seconds: number, memory: number): number =>
  seconds * DAYS * (memory / 1_024) * PRICE.gbSecond;

/** Returns the dollars of a month without requests, by what they are for. */
function monthOf(counted: Counted, loads: readonly Load[], blocksASecond: number) {
  const { alarmMetrics, composites, customMetrics, ingestMemory, hasProbe } = counted;
  const seconds = sum(loads.map((load) => secondsOf(load, blocksASecond, ingestMemory)));
  const parts = {
    'the ingest, which waits for nodes': dollarsOf(seconds, ingestMemory),
    [`${customMetrics} custom metrics, at $0.30`]: customMetrics * PRICE.metric,
    [`${alarmMetrics} metrics in alarms, at $0.10; composite alarms: ${composites}, at $0.50`]:
      alarmMetrics * PRICE.alarmMetric + composites * PRICE.composite,
    [`data to nodes: two requests of ${REQUEST_KB} kB a block, at $0.09 a GB`]:
      sum(loads.map(({ blocks }) => blocks)) * DAYS * CALLS.ofBlock * (REQUEST_KB / 1e6) * PRICE.gbOut,
    'table, logs, schedules, exports, probe': FIXED.table + FIXED.logs + (hasProbe ? FIXED.probe : 0),
  };
  return { parts, total: sum(Object.values(parts)) };
}

/** All endpoints of a chain work at once, and no chain has fewer than this by default. */
const endpoints = Math.min(...defaultChainNames.map((name) => chainOf(name).publicEndpoints.length));
const blocksOf = (calls: number) => Math.floor((endpoints * calls) / CALLS.ofBlock);

/** Blocks a second that the default endpoints give, if each allows the fewest calls that a provider publishes. */
export const DEFAULT_RATE = blocksOf(CALLS.least);
/** The rate that the docs assume of one endpoint. */
const ONE = 25;
const RATES = [blocksOf(CALLS.most), DEFAULT_RATE, ONE, 10, 5.5];
const rateNames = RATES.map((rate) => (rate === DEFAULT_RATE ? `${rate} (default)` : String(rate)));

const cents = (dollars: number) => dollars.toFixed(2);

function monthRows(counted: Counted): readonly (readonly string[])[] {
  const months = RATES.map((rate) => monthOf(counted, Object.values(loads), rate));
  return [
    ['dollars a month, if nodes give blocks a second:', ...rateNames],
    ...Object.keys(months[0]?.parts ?? {}).map((name) => [
      name,
      ...months.map(({ parts }) => cents(parts[name] ?? 0)),
    ]),
    ['**six chains, no requests**', ...months.map(({ total }) => `**${cents(total)}**`)],
  ];
}

/** Sets of chains of the table for deployers, and millions of requests. */
const SETS = [['Ethereum'], ['Ethereum', 'Arbitrum', 'Base'], Object.keys(loads)];
const MILLIONS = [0, 1, 10];

/** Returns a stage with some chains alone. Their names in the page are those of the settings in another case. */
function stageWith(names: readonly string[]): Stage {
  const wanted = names.map((name) => name.toUpperCase());
  const others = chainNames.filter((name) => !wanted.includes(name));
  return { ...dev, chains: Object.fromEntries(others.map((name) => [name, { enabled: false }])) };
}

function billRows(): readonly (readonly string[])[] {
  const rows = SETS.flatMap((names) => {
    const counted = countIn(stageWith(names));
    const own = Object.entries(loads).flatMap(([name, load]) => (names.includes(name) ? [load] : []));
    const months = RATES.map((rate) => monthOf(counted, own, rate).total);
    const title = names.length > 3 ? 'six chains' : names.join(', ');
    return MILLIONS.map((millions) => [
      title,
      millions === 0 ? 'none' : `${millions} million`,
      ...months.map((month) => Math.round(month + millions * REQUESTS).toString()),
    ]);
  });
  return [['chains', 'requests a month', ...rateNames], ...rows];
}

function chainRows({ ingestMemory }: Counted): readonly (readonly string[])[] {
  const rows = Object.entries(loads).map(([name, load]) => {
    const secondsAt = (rate: number) => secondsOf(load, rate, ingestMemory);
    const [month, slower] = [DEFAULT_RATE, ONE].map((rate) => dollarsOf(secondsAt(rate), ingestMemory));
    const year = (dollarsOf(secondsAt(ONE) - RUNS_A_DAY, ingestMemory) / DAYS) * 365;
    return { name, ...load, month: month ?? 0, slower: slower ?? 0, year };
  });
  const total = (of: (one: (typeof rows)[number]) => number) => sum(rows.map(of));
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    [
      'chain',
      'blocks a day',
      'MB a day',
      `dollars a month at ${DEFAULT_RATE} blocks a second`,
      `at ${ONE}`,
      `a year at ${ONE}, once`,
    ],
    ...rows.map(({ name, blocks, mb, month, slower, year }) => [
      name,
      count(blocks),
      count(mb),
      cents(month),
      cents(slower),
      count(year),
    ]),
    [
      '**six**',
      count(total(({ blocks }) => blocks)),
      count(total(({ mb }) => mb)),
      `**${cents(total(({ month }) => month))}**`,
      `**${cents(total(({ slower }) => slower))}**`,
      `**${count(total(({ year }) => year))}**`,
    ],
  ];
}

/** Returns the page with new tables between its markers. */
export function costPage(page: string): string {
  const counted = countIn(dev);
  const tables = {
    month: monthRows(counted),
    bill: billRows(),
    chains: chainRows(counted),
    ceilings: ceilingRows({ dev, prod }),
  };
  return Object.entries(tables).reduce(
    (text, [name, rows]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: written by "npm run generate" -->\n)[^]*?(<!-- /${name} -->)`),
        (_, begin, end) => `${begin}\n${markdownTable(rows).join('\n')}\n\n${end}`,
      ),
    page,
  );
}
