import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type FuzzResult, runTarget } from './run-target.ts';
import { fuzzTargets } from './targets.ts';

/* npm run fuzz -- --minutes 10: random attacks on every decoder. A failure prints the seed and the smallest case. */

const DOC = 'test/fuzz/results.md';
const [START, END] = ['<!-- fuzz: npm run fuzz -- --write -->', '<!-- /fuzz -->'];

const HELP = `npm run fuzz -- [--minutes M] [--seed S] [--only TEXT] [--write]
  --minutes  time for all targets together (5)
  --seed     what all cases follow from (the time)
  --only     only targets whose name contains this
  --write    put the table into ${DOC}`;

const optionsSchema = z.object({
  minutes: z.coerce.number().positive().default(5),
  seed: z.coerce
    .number()
    .int()
    .default(() => Date.now() % 1_000_000_000),
  only: z.string().default(''),
  write: z.boolean().default(false),
});

function tableOf(results: readonly FuzzResult[]): string {
  const rows = results.map(({ name, cases, worstMs, worstMb }) =>
    [name, cases.toLocaleString('en-US'), `${Math.ceil(worstMs)} ms`, `${Math.ceil(worstMb)} MB`].join(' | '),
  );
  return ['attack | cases tried | worst time | worst memory', '--- | --- | --- | ---', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}

/** Replaces the table between its marks. */
function writeTable(table: string): void {
  const doc = readFileSync(DOC, 'utf8');
  const [before, rest = ''] = doc.split(START);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined)
    throw new Error(`${DOC} lacks ${START} or ${END}. Add both.`);
  writeFileSync(DOC, `${before}${START}\n\n${table}\n\n${END}${after}`);
}

const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const { values } = parseArgs({
  options: { minutes: string, seed: string, only: string, write: boolean, help: boolean },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const { minutes, seed, only, write } = optionsSchema.parse(values);
const chosen = fuzzTargets.filter(({ name }) => name.includes(only));
console.log(`seed ${seed}`);
const results: FuzzResult[] = [];
for (const target of chosen) {
  results.push(await runTarget(target, { forMs: (minutes * 60_000) / chosen.length }, seed));
}
console.log(tableOf(results));
if (write) writeTable(tableOf(results));
