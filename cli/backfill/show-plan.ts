import { formatRange, groupIntoRanges } from '../day-ranges.ts';
import { formatCount, formatDuration, formatRate, formatTable, pluralize } from '../print.ts';
import type { Estimate } from './estimate.ts';
import type { Plan } from './plan.ts';
import { PRICED } from './prices.ts';

/** What a backfill takes and costs, and how that is known. */
export function showPlan(plan: Plan): string {
  const { chain, dates, days_at_once, blocks, sample, estimate } = plan;
  const speed = formatRate(sample.blocks / sample.seconds);
  const ranges = groupIntoRanges(dates);
  const atOnce = Math.min(days_at_once, dates.length);
  return [
    `${chain}: ${pluralize(dates.length, 'day')} to read, ${formatCount(blocks)} blocks; ${atOnce} at once.`,
    ranges.length <= 8
      ? ranges.map(formatRange).join(', ')
      : `${ranges.length} ranges from ${dates[0]} to ${dates.at(-1)}`,
    '',
    costTable(estimate),
    '',
    `Measured from this machine: ${sample.blocks} blocks of these days in ${sample.seconds.toFixed(1)} s, ${speed} a second.`,
    atOnce > 1
      ? `At best the nodes give each day as much as that; at worst all ${atOnce} of them together.`
      : 'From AWS it may be more or less.',
    `Assumed: list prices (${PRICED}) without what is free, and ${formatCount(estimate.best.json_rpc_calls)} calls, two a block.`,
    'What nodes charge, and tries that fail, come on top: docs/cost.md.',
  ].join('\n');
}

function costTable({ best, worst }: Plan['estimate']): string {
  const row = (title: string, of: (estimate: Estimate) => readonly [amount: string, dollars: string]) => [
    title,
    ...of(best),
    ...of(worst),
  ];
  const items = {
    'Lambda, GB-seconds': 'lambda',
    'Lambda, requests': 'lambda_requests',
    'Step Functions, transitions': 'state_transitions',
    'DynamoDB, writes': 'table_writes',
  } as const;
  return formatTable(
    ['', 'at best', '', 'at worst', ''],
    [
      row('blocks a second', ({ blocks_per_second }) => [formatRate(blocks_per_second), '']),
      row('time', ({ seconds }) => [formatDuration(seconds), '']),
      ...Object.entries(items).map(([title, item]) =>
        row(title, (estimate) => [formatCount(estimate[item].amount), dollars(estimate[item].dollars)]),
      ),
      row('sum', (estimate) => ['', dollars(estimate.dollars)]),
    ],
  );
}

const dollars = (value: number): string => (value < 0.01 ? '< $0.01' : `$${value.toFixed(2)}`);
