import { writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import { coldStartBench } from './cold-start/cold-start-bench.ts';
import { eraBench, freezerBench } from './files-bench.ts';
import { keepUpBench } from './keep-up-bench.ts';
import { ingestBench, rawBench } from './nodes-bench.ts';
import { partitionBench } from './query/partition-bench.ts';
import { queryBench } from './query/query-bench.ts';
import { cells, columns, isWithinBound, type Ratio, renderMarkdown, type Section } from './report.ts';
import { startUpBench } from './start-up-bench.ts';

/* npm run bench [topic …]: measures speed against baselines. Without topics, it writes bench/results.md. */

const topics: Record<string, { readonly title: string; readonly measure: () => Promise<Ratio[]> }> = {
  query: { title: 'Query', measure: queryBench },
  partition: { title: 'Concurrent requests', measure: partitionBench },
  'cold-start': { title: 'Cold start', measure: coldStartBench },
  ingest: { title: 'Ingest', measure: ingestBench },
  raw: { title: 'Blocks as RLP', measure: rawBench },
  era: { title: 'Era files', measure: eraBench },
  freezer: { title: 'Files of nodes', measure: freezerBench },
  'keep-up': { title: 'Ingest speed against chain speed', measure: keepUpBench },
  'start-up': { title: 'Start of the local service', measure: startUpBench },
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in topics));
if (unknown.length > 0) {
  console.error(`Unknown topic ${unknown.join(', ')}. Choose from ${Object.keys(topics).join(', ')}.`);
  process.exit(2);
}

const sections: Section[] = [];
for (const [name, { title, measure }] of Object.entries(topics)) {
  if (selected.length === 0 || selected.includes(name)) sections.push({ title, rows: await measure() });
}

const table = new Table({
  head: [...columns],
  colWidths: [52, 22, 22],
  wordWrap: true,
  style: { head: [], border: [] },
});
for (const { title, rows } of sections) {
  table.push([{ colSpan: columns.length, content: title }], ...rows.map(cells));
}
console.log(table.toString());

if (selected.length === 0) {
  writeFileSync(new URL('results.md', import.meta.url), renderMarkdown(sections));
  console.error('Wrote bench/results.md');
}
if (sections.some(({ rows }) => !rows.every(isWithinBound))) process.exitCode = 1;
