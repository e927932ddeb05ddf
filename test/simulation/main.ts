import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import type { Family } from '#test/support/generators/random/random-chain.ts';
import type { Simulated } from './worker.ts';
import type { Scenario } from './world.ts';

/*
 * npm run simulate -- --days 1000 --seed 1: a simulation of any length, on all cores. A failure names the command that reproduces it.
 */

const families = ['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'] as const satisfies readonly Family[];

/** Days per chain: many short chains meet more nodes than a long one. */
const DAYS_OF_A_WORLD = 10;

const optionsSchema = z.object({
  days: z.coerce.number().int().min(1).default(100),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .default(() => Date.now() % 1_000_000_000),
  rate: z.coerce.number().min(0).max(1).default(0.15),
  family: z.enum(families).optional(),
});

const HELP = `npm run simulate -- [--days N] [--seed S] [--rate R] [--family F]
  --days    days to simulate, for each family (100)
  --seed    what everything follows from (the time)
  --rate    chance of each kind of fault that is about, 0 to 1 (0.15)
  --family  ${families.join(' | ')} (all)`;

type Survivor = Extract<Simulated, { kind: 'survived' }>;

function scenariosOf({ days, seed, rate, family }: z.output<typeof optionsSchema>): readonly Scenario[] {
  const starts = Array.from({ length: Math.ceil(days / DAYS_OF_A_WORLD) }, (_, index) => index);
  // The families in turn, so that a failure of any comes early.
  return starts.flatMap((index) =>
    (family ? [family] : families).map((one) => ({
      family: one,
      rate,
      seed: seed + index,
      days: Math.min(DAYS_OF_A_WORLD, days - index * DAYS_OF_A_WORLD),
    })),
  );
}

/** Simulates all scenarios, each on the next free core. @throws Error with the command that reproduces the first failure */
async function simulateAll(scenarios: readonly Scenario[]): Promise<readonly Survivor[]> {
  const survivors: Survivor[] = [];
  const left = scenarios.values();
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    for (const scenario of left) {
      worker.postMessage(scenario);
      const [simulated]: Simulated[] = await once(worker, 'message');
      if (simulated?.kind !== 'survived') throw new Error(simulated?.problem);
      survivors.push(simulated);
      showProgress(survivors, scenarios);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return survivors;
}

const startedAt = Date.now();

function showProgress(survivors: readonly Survivor[], scenarios: readonly Scenario[]): void {
  const daysIn = (list: readonly Scenario[]) => list.reduce((sum, { days }) => sum + days, 0);
  const [done, of] = [daysIn(survivors.map(({ scenario }) => scenario)), daysIn(scenarios)];
  const left = Math.round(((Date.now() - startedAt) / 1_000) * (of / done - 1));
  const line = `${done}/${of} days, ${left} s left`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(40)}` : `${line}\n`);
}

const sumOf = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((sum, one) => sum + of(one), 0);

/** Counts the days of one family in rough times. */
function rowOf(survivors: readonly Survivor[]) {
  const sum = (of: (rough: Survivor['rough']) => number) => sumOf(survivors, ({ rough }) => of(rough));
  return {
    days: sum(({ days }) => days),
    'complete under faults': sum(({ daysUnderFaults }) => daysUnderFaults),
    runs: sum(({ runs }) => runs),
    crashes: sum(({ crashes }) => crashes),
    'holes filled': sum(({ holes }) => holes),
    restatements: sum(({ restatements }) => restatements),
    events: sum(({ events }) => events),
    'events repeated': sum(({ repeated }) => repeated),
    'commits overtaken': sum(({ overtakenCommits }) => overtakenCommits),
    'commits repeated': sum(({ repeatedCommits }) => repeatedCommits),
    'faults survived': sum(({ faults }) => sumOf(Object.values(faults), (count) => count)),
    'wrong figures': 0,
  };
}

/** Prints a row of each family, with its final days in calm times and the minutes by which the latest of them was late. */
const show = (survivors: readonly Survivor[]): void =>
  console.table(
    Object.fromEntries(
      families.flatMap((family) => {
        const some = survivors.filter(({ scenario }) => scenario.family === family);
        if (some.length === 0) return [];
        const final = `${sumOf(some, ({ calm }) => calm.final)}/${sumOf(some, ({ calm }) => calm.days)}`;
        const late = Math.max(...some.map(({ calm }) => calm.minutes));
        return [[family, { ...rowOf(some), 'final in calm times': `${final}, ${late} min` }]];
      }),
    ),
  );

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
  console.log(`seed ${options.data.seed}`);
  const survivors = await simulateAll(scenariosOf(options.data));
  if (process.stdout.isTTY) process.stdout.write('\n');
  show(survivors);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
