import { arch, cpus, platform, release, totalmem } from 'node:os';

/** A measurement compared with a baseline from the same run: one line of the results. */
export interface Ratio {
  readonly what: string;
  /** The measured value and the baseline with their units, such as `0.12 ms` and `41 ms`. */
  readonly ours: string;
  readonly other: string;
  /** The quotient that `bound` limits. */
  readonly ratio: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

const rateOf = (milliseconds: number): string =>
  `${Math.round(1_000 / milliseconds)} blocks/s (${milliseconds.toFixed(2)} ms per block)`;

/** Compares two times per block, in milliseconds. */
export const timesAsFast = (what: string, ours: number, other: number, atLeast: number): Ratio => ({
  what,
  ours: rateOf(ours),
  other: rateOf(other),
  ratio: other / ours,
  bound: { atLeast },
});

/** Compares a measurement with a limit in the same unit. */
export const limited = (
  what: string,
  ours: number,
  limit: number,
  format: (value: number) => string,
): Ratio => ({ what, ours: format(ours), other: format(limit), ratio: ours / limit, bound: { atMost: 1 } });

export const isWithinBound = ({ ratio, bound }: Ratio): boolean =>
  'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  if (upper === undefined || lower === undefined) throw new Error('The median of no values is undefined.');
  return (lower + upper) / 2;
}

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
    'Written by `npm run bench`; do not edit. Each line compares a measurement with a baseline from the same run. Milliseconds per block ' +
      'are the least CPU time of all repetitions.',
    '',
    `- ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, V8 ${process.versions.v8}`,
    `- ${machine}`,
  ].join('\n');
  return `${[intro, ...tables].join('\n\n')}\n`;
}
