import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Family } from '../support/random-chain.ts';
import { type Survived, simulate } from './simulate.ts';

/*
 * npm run simulate -- --days 1000 --seed 1: a simulation of any length. A failure names the command that reproduces it.
 */

const families = ['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'] as const satisfies readonly Family[];

/** Days per chain: many short chains find more than a long one. */
const DAYS_OF_A_WORLD = 20;

const optionsSchema = z.object({
  days: z.coerce.number().int().min(1).default(100),
  seed: z.coerce
    .number()
    .int()
    .default(() => Date.now() % 1_000_000_000),
  rate: z.coerce.number().min(0).max(1).default(0.15),
  family: z.enum(families).optional(),
});

const HELP = `npm run simulate -- [--days N] [--seed S] [--rate R] [--family F]
  --days    days to simulate, for each family (100)
  --seed    what everything follows from (the time)
  --rate    chance of each kind of fault that is about, 0 to 1 (0.15)
  --family  ${families.join(' | ')} (all)`;

const counted = [
  'days',
  'daysUnderFaults',
  'runs',
  'crashes',
  'holes',
  'restatements',
  'events',
  'repeated',
] as const satisfies readonly (keyof Survived)[];

type Summary = Omit<Survived, 'faults'> & { readonly faults: number };

async function simulateFamily(
  family: Family,
  { days, seed, rate }: z.output<typeof optionsSchema>,
  faults: Map<string, number>,
): Promise<Summary> {
  const sum = Object.fromEntries([...counted, 'faults'].map((key) => [key, 0])) as Record<
    keyof Summary,
    number
  >;
  const startedAt = Date.now();
  while (sum.days < days) {
    const world = { family, rate, seed: seed + sum.days / DAYS_OF_A_WORLD };
    const survived = await simulate({ ...world, days: Math.min(DAYS_OF_A_WORLD, days - sum.days) });
    for (const [kind, count] of Object.entries(survived.faults)) {
      faults.set(kind, (faults.get(kind) ?? 0) + count);
      sum.faults += count;
    }
    for (const key of counted) sum[key] += survived[key];
    showProgress(family, sum, days, (Date.now() - startedAt) / 1_000);
  }
  if (process.stdout.isTTY) process.stdout.write('\n');
  return sum;
}

function showProgress(family: Family, { days, crashes, faults }: Summary, of: number, seconds: number): void {
  const share = days / of;
  const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
  const left = Math.round((seconds / share) * (1 - share));
  const line = `${family.padEnd(8)} ${bar} ${days}/${of} days, ${faults} faults, ${crashes} crashes, ${left} s left`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(100)}` : `${line}\n`);
}

const { values } = parseArgs({
  options: {
    days: { type: 'string' },
    seed: { type: 'string' },
    rate: { type: 'string' },
    family: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const options = optionsSchema.safeParse(values);
if (values.help || !options.success) {
  if (!options.success) console.error(z.prettifyError(options.error));
  console.log(HELP);
  process.exit(options.success ? 0 : 2);
}

try {
  const { family, seed } = options.data;
  console.log(`seed ${seed}`);
  const faults = new Map<string, number>();
  const rows: Record<string, Record<string, number>> = {};
  for (const one of family ? [family] : families) {
    const {
      days,
      daysUnderFaults,
      runs,
      crashes,
      holes,
      restatements,
      events,
      repeated,
      faults: met,
    } = await simulateFamily(one, options.data, faults);
    rows[one] = {
      days,
      'complete under faults': daysUnderFaults,
      runs,
      crashes,
      'holes filled': holes,
      restatements,
      events,
      'events repeated': repeated,
      'faults survived': met,
      'wrong figures': 0,
    };
  }
  console.table(rows);
  console.table(Object.fromEntries([...faults].toSorted().map(([kind, times]) => [kind, { times }])));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
