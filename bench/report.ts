import { arch, cpus, platform, release, totalmem } from 'node:os';
import { isWithinBound, type Ratio } from './ratio.ts';

export interface Section {
  readonly title: string;
  readonly rows: readonly Ratio[];
}

export const columns = ['measurement', 'ours', 'baseline', 'ratio', 'bound', 'met'] as const;

export const cells = (row: Ratio): string[] => [
  row.what,
  row.ours,
  row.other,
  rounded(row.ratio),
  'atLeast' in row.bound ? `≥ ${rounded(row.bound.atLeast)}` : `≤ ${rounded(row.bound.atMost)}`,
  isWithinBound(row) ? 'yes' : 'NO',
];

const rounded = (ratio: number) => String(Number(ratio.toPrecision(ratio < 1 ? 2 : 3)));

/** Formats the contents of results.md. */
export function renderMarkdown(sections: readonly Section[]): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`;
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const tables = sections.map(({ title, rows }) =>
    [
      `## ${title}`,
      '',
      line(columns),
      line(columns.map(() => '---')),
      ...rows.map((row) => line(cells(row))),
    ].join('\n'),
  );
  const intro = [
    '# Benchmark results',
    '',
    'Written by `npm run bench`; do not edit. Each line compares a measurement with a baseline from the same run.',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, V8 ${process.versions.v8}`,
    `- ${machine}`,
  ].join('\n');
  return `${[intro, ...tables].join('\n\n')}\n`;
}
