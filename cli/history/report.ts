import type { Source } from '../../core/anchor/network.ts';
import { statementOf } from '../../core/archive/sample.ts';
import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import { type ArchiveFile, listArchiveFiles } from '../../core/store/days/archive-files.ts';
import { formatCount, formatTable, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';
import type { Drawn, OpenFile } from './draw.ts';

interface Audit {
  readonly served: ServedChain;
  readonly source: Source;
  readonly file: OpenFile;
  readonly drawn: Drawn;
  readonly stored: ArchiveFile;
  /** Percent. */
  readonly confidence: number;
}

/** Returns what days keep about a passed audit. */
export function originOf({ file, drawn, stored, confidence }: Audit): ArchiveOrigin {
  const strata = [...drawn.strata.values()];
  const audit = {
    audited_at: new Date(Date.now()).toISOString(),
    ranges_compared: strata.reduce((sum, one) => sum + one.drawn, 0),
    ranges: file.ranges,
    statement: statementOf(strata, confidence / 100, 'range'),
  };
  return { name: stored.name, file_sha256: file.sha256, query_sha256: stored.query_sha256, audit };
}

/**
 * Returns the page that an audit ends with. It claims what was drawn and compared, and nothing else.
 * @param equalDays proven days that the file agrees with; they are no random sample
 */
export async function reportOf(
  { served, source, file, drawn, stored, confidence }: Audit,
  { audit }: ArchiveOrigin,
  equalDays: number,
): Promise<string> {
  const all = await listArchiveFiles(served.store);
  const failures = all.filter(({ difference, void_since }) => difference ?? void_since).length;
  const days = { drawn: drawn.days.length, of: file.days.length };
  return [
    `Audit of ${file.chain.name} ${stored.first_day} to ${stored.last_day}, archive ${stored.name}`,
    '',
    `File:     ${file.sha256}`,
    `Query:    ${stored.query_sha256 ?? 'not given (--query)'}`,
    ...stored.draws.map(
      ({ seed, block_number, drawn_at }) =>
        `Draw:     ${seed}, from final block ${formatCount(block_number)} at ${drawn_at}`,
    ),
    `Nodes:    ${source.voters.map(({ name }) => name).join(', ')}`,
    '',
    `All ${pluralize(days.of, 'day')}: rows follow each other without gap or overlap, and the controls in the file are 0.`,
    `All ${pluralize(days.of, 'day')}: the first and the last block are proven by their headers, and these nodes report them.`,
    `${pluralize(equalDays, 'proven day')} of this stage: equal. They are no random sample.`,
    '',
    formatTable(
      ['stratum', 'compared', 'ranges'],
      [...drawn.strata].map(([name, one]) => [name, one.drawn, one.of]),
    ),
    '',
    audit.statement,
    ...(days.drawn > 0 ? [statementOf([days], confidence / 100, 'day')] : []),
    'A range that was not drawn may be wrong: one bad range is found with a probability of its share that was drawn.',
    ...(failures > 0
      ? [
          `Before this, ${pluralize(failures, 'other file')} of ${file.chain.name} failed here. Each try weakens the confidence.`,
        ]
      : []),
  ].join('\n');
}
