import { writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import Table from 'cli-table3';
import { coldStartBench } from './cold-start/cold-start-bench.ts';
import { ingestBench } from './ingest/ingest-bench.ts';
import { keepUpBench } from './keep-up/keep-up-bench.ts';
import { partitionBench } from './partition/partition-bench.ts';
import { queryBench } from './query/query-bench.ts';
import { isKept, type Ratio } from './ratio.ts';
import { startUpBench } from './start-up/start-up-bench.ts';

/* Everything that is said to be fast, against its floor and in one run: `npm run bench`, or some of it by name. */

const topics: Record<string, { readonly title: string; readonly measure: () => Promise<Ratio[]> }> = {
  query: { title: 'Query', measure: queryBench },
  partition: { title: 'Many at once', measure: partitionBench },
  'cold-start': { title: 'Cold start', measure: coldStartBench },
  ingest: { title: 'Ingest', measure: ingestBench },
  'keep-up': { title: 'Keeping up', measure: keepUpBench },
  'start-up': { title: 'Start of the local service', measure: startUpBench },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in topics));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. The topics are: ${Object.keys(topics).join(', ')}.`);
  process.exit(2);
}

const results: { title: string; rows: Ratio[] }[] = [];
for (const [name, { title, measure }] of Object.entries(topics)) {
  if (asked.length === 0 || asked.includes(name)) results.push({ title, rows: await measure() });
}

const columns = ['what', 'ours', 'against', 'ratio', 'wanted', ''];
const cells = (row: Ratio) => [
  row.what,
  row.ours,
  row.other,
  shown(row.ratio),
  'atLeast' in row.bound ? `≥ ${shown(row.bound.atLeast)}` : `≤ ${shown(row.bound.atMost)}`,
  isKept(row) ? 'yes' : 'NO',
];
const shown = (ratio: number) => String(Number(ratio.toPrecision(ratio < 1 ? 2 : 3)));

const table = new Table({
  head: columns,
  colWidths: [52, 22, 22],
  wordWrap: true,
  style: { head: [], border: [] },
});
for (const { title, rows } of results) {
  table.push([{ colSpan: columns.length, content: title }], ...rows.map(cells));
}
console.log(table.toString());

if (asked.length === 0) {
  const file = new URL('results.md', import.meta.url);
  writeFileSync(file, markdown());
  console.error('Written to bench/results.md');
}
if (results.some(({ rows }) => !rows.every(isKept))) process.exitCode = 1;

function markdown(): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`;
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const sections = results.map(({ title, rows }) =>
    [
      `## ${title}`,
      '',
      line(columns),
      line(columns.map(() => '---')),
      ...rows.map((row) => line(cells(row))),
    ].join('\n'),
  );
  const intro = [
    '# Results of the benchmarks',
    '',
    'Written by `npm run bench`; do not edit. Each line compares two things that were measured in the same run.',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, V8 ${process.versions.v8}`,
    `- ${machine}`,
  ].join('\n');
  return `${[intro, ...sections].join('\n\n')}\n`;
}
