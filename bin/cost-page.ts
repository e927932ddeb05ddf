import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { chainNames } from '../core/chains/chains.ts';
import { ChainInsightsStack, type Stage } from '../lib/chain-insights-stack.ts';
import { prod } from '../lib/stages/prod.ts';
import { markdownTable } from './markdown-table.ts';

/* The tables of docs/operate/cost.md: alarms, metrics, memory and the probe are counted in the template of a stage, so that the page follows it. */

/** Dollars in us-east-1. */
const PRICE = { gbSecond: 0.0000133334, alarmMetric: 0.1, composite: 0.5, metric: 0.3, gbOut: 0.09 };
/** Dollars a month that hardly depend on the stage: see the page. */
const FIXED = { table: 0.51, logs: 0.12, probe: 0.18 };
const DAYS = 30;
const RUNS_A_DAY = 288;
/** For all chains: two requests of half a kilobyte for each block. */
const GB_A_BLOCK = 1e-6;
/** Megabytes that 1,024 MB of memory prove in a second, by our estimate. */
const PROVEN_MB = 26;

/** Blocks and megabytes a day. */
const chains = {
  Ethereum: { blocks: 7_200, mb: 8_400 },
  Optimism: { blocks: 43_200, mb: 10_600 },
  Polygon: { blocks: 49_400, mb: 25_300 },
  BSC: { blocks: 192_000, mb: 63_400 },
  Arbitrum: { blocks: 345_600, mb: 17_500 },
  Base: { blocks: 432_000, mb: 55_500 },
};
type Load = (typeof chains)['BSC'];

const metricSchema = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.unknown().optional(),
});
const alarmSchema = z.union([
  z.object({ Metrics: z.array(z.object({ MetricStat: z.object({ Metric: metricSchema }).optional() })) }),
  metricSchema,
]);
const scheduleSchema = z.object({ Target: z.object({ Input: z.string().optional() }) });
const functionSchema = z.object({
  MemorySize: z.number(),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

/** Synthesizes a stage without bundling, and counts the parts that decide the bill. */
export function countIn(stage: Stage) {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, builtinCloudFormationValidation: false });
  const stack = new ChainInsightsStack(app, 'Cost', { ...stage, alarmEmail: 'none', protect: false });
  const template = Template.fromStack(stack);
  const propertiesOf = (type: string): unknown[] =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  const metrics = z
    .array(alarmSchema)
    .parse(propertiesOf('AWS::CloudWatch::Alarm'))
    .flatMap((alarm) =>
      'Metrics' in alarm ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm],
    );
  const own = metrics.filter(({ Namespace }) => Namespace === stack.stackName);
  // A run publishes a metric of its chain, which has no alarm of its own where it is the only one.
  const runs = z.array(scheduleSchema).parse(propertiesOf('AWS::Scheduler::Schedule'));
  const chainsRead = runs.filter(({ Target }) => Target.Input?.includes('"job":"ingest"')).length;
  const ofAll = own.map((metric) => JSON.stringify(metric)).filter((metric) => !metric.includes('"chain"'));
  const functions = z.array(functionSchema).parse(propertiesOf('AWS::Lambda::Function'));
  const withVariable = (name: string) =>
    functions.find(({ Environment }) => Environment.Variables[name] !== undefined);
  return {
    alarmMetrics: metrics.length,
    composites: propertiesOf('AWS::CloudWatch::CompositeAlarm').length,
    customMetrics: chainsRead + new Set(ofAll).size,
    ingestMemory: withVariable('POWERTOOLS_METRICS_NAMESPACE')?.MemorySize ?? 0,
    hasProbe: withVariable('PROBE_KEY_PARAMETER') !== undefined,
  };
}

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
    [`${alarmMetrics} metrics in alarms, at $0.10; ${composites} composite alarms, at $0.50`]:
      alarmMetrics * PRICE.alarmMetric + composites * PRICE.composite,
    'data to nodes: two requests of 0.5 kB a block, at $0.09 a GB':
      sum(loads.map(({ blocks }) => blocks)) * DAYS * GB_A_BLOCK * PRICE.gbOut,
    'table, logs, schedules, exports, probe': FIXED.table + FIXED.logs + (hasProbe ? FIXED.probe : 0),
  };
  return { parts, total: sum(Object.values(parts)) };
}

const RATES = [50, 25, 10, 5.5];
const disabled = chainNames.filter((name) => name !== 'ETHEREUM').map((name) => [name, { enabled: false }]);
const ethereumAlone: Stage = { ...prod, chains: Object.fromEntries(disabled) };

const cents = (dollars: number) => dollars.toFixed(2);

function monthRows(counted: Counted): readonly (readonly string[])[] {
  const months = RATES.map((rate) => monthOf(counted, Object.values(chains), rate));
  const alone = countIn(ethereumAlone);
  const ofOne = RATES.map((rate) => monthOf(alone, [chains.Ethereum], rate).total);
  return [
    ['dollars a month, if nodes give blocks a second:', ...RATES.map(String)],
    ...Object.keys(months[0]?.parts ?? {}).map((name) => [
      name,
      ...months.map(({ parts }) => cents(parts[name] ?? 0)),
    ]),
    ['**six chains, no requests**', ...months.map(({ total }) => `**${cents(total)}**`)],
    ['Ethereum alone', ...ofOne.map(cents)],
  ];
}

function chainRows({ ingestMemory }: Counted): readonly (readonly string[])[] {
  const rows = Object.entries(chains).map(([name, load]) => {
    const seconds = secondsOf(load, 25, ingestMemory);
    const year = (dollarsOf(seconds - RUNS_A_DAY, ingestMemory) / DAYS) * 365;
    return { name, ...load, month: dollarsOf(seconds, ingestMemory), year };
  });
  const total = (of: (one: (typeof rows)[number]) => number) => sum(rows.map(of));
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    ['at 25 blocks a second', 'blocks a day', 'MB a day', 'dollars a month', 'a year at this rate, once'],
    ...rows.map(({ name, blocks, mb, month, year }) => [
      name,
      count(blocks),
      count(mb),
      cents(month),
      count(year),
    ]),
    [
      '**six**',
      count(total(({ blocks }) => blocks)),
      count(total(({ mb }) => mb)),
      `**${cents(total(({ month }) => month))}**`,
      `**${count(total(({ year }) => year))}**`,
    ],
  ];
}

/** Returns the page with new tables between its markers. */
export function costPage(page: string): string {
  const counted = countIn(prod);
  const tables = { month: monthRows(counted), chains: chainRows(counted) };
  return Object.entries(tables).reduce(
    (text, [name, rows]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: written by "npm run generate" -->\n)[^]*?(<!-- /${name} -->)`),
        (_, begin, end) => `${begin}\n${markdownTable(rows).join('\n')}\n\n${end}`,
      ),
    page,
  );
}
