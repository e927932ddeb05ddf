import type { Source } from '../../core/anchor/network.ts';
import { type drawRows, statementOf } from '../../core/archive/sample.ts';
import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import { type ArchiveFile, listArchiveFiles } from '../../core/store/days/archive-files.ts';
import { formatCount, formatTable, pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';
import type { OpenFile } from './open-file.ts';

/** A file, its draws and the nodes that it is compared with. */
export interface Audit {
  readonly served: ServedChain;
  readonly source: Source;
  readonly file: OpenFile;
  readonly stored: ArchiveFile;
  readonly drawn: ReturnType<typeof drawRows>;
  /** Percent. */
  readonly confidence: number;
}

/** Returns what days keep about a passed audit. */
export function originOf({ file, drawn, stored, confidence }: Audit): ArchiveOrigin {
  const audit = {
    audited_at: new Date(Date.now()).toISOString(),
    ranges_compared: drawn.strata.reduce((sum, one) => sum + one.drawn, 0),
    ranges: file.rows.length,
    statement: statementOf(drawn.strata, confidence / 100, 'range'),
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
  const files = await listArchiveFiles(served.store);
  const failures = files.filter(({ difference, void_since }) => difference ?? void_since).length;
  return [
    `Audit of ${file.chain.name} ${file.days[0]?.date} to ${file.days.at(-1)?.date}, archive ${stored.name}`,
    '',
    `File:     ${file.sha256}`,
    `Query:    ${stored.query_sha256 ?? 'not given (--query)'}`,
    ...stored.draws.map(
      ({ seed, block_number, drawn_at }) =>
        `Draw:     ${seed}, from final block ${formatCount(block_number)} at ${drawn_at}`,
    ),
    `Nodes:    ${source.voters.map(({ name }) => name).join(', ')}`,
    '',
    `All ${pluralize(file.days.length, 'day')}: no gap or overlap, controls in the file are 0, and the first and last block are proven by their headers, as these nodes report them.`,
    `${pluralize(equalDays, 'proven day')} of this stage: equal. They are no random sample.`,
    '',
    formatTable(
      ['stratum', 'compared', 'ranges'],
      drawn.strata.map(({ name, drawn, of }) => [name, drawn, of]),
    ),
    '',
    audit.statement,
    ...(drawn.days.drawn > 0 ? [statementOf([drawn.days], confidence / 100, 'day')] : []),
    'A range that was not drawn may be wrong: one bad range is found with a probability of its share that was drawn.',
    ...(failures > 0
      ? [
          `Before this, ${pluralize(failures, 'other file')} of ${file.chain.name} failed here. Each try weakens the confidence.`,
        ]
      : []),
  ].join('\n');
}
