import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import type { ArchiveFile } from '../../core/store/days/archive-files.ts';
import { formatCount, formatTable, pluralize } from '../print.ts';
import type { Drawn, OpenFile } from './draw.ts';

/** A passed audit. */
export interface Audited {
  readonly archive: ArchiveOrigin;
  readonly report: string;
}

interface Facts {
  readonly file: OpenFile;
  readonly drawn: Drawn;
  readonly stored: ArchiveFile;
  readonly archive: ArchiveOrigin;
  readonly daysStatement: string | undefined;
  /** Proven days that the file agrees with. They are no random sample. */
  readonly equalDays: number;
  /** Other files of the chain that failed here. */
  readonly failures: number;
  readonly hosts: readonly string[];
}

/** Returns the page that an audit ends with. It claims what was drawn and compared, and nothing else. */
export function auditReport({
  file,
  drawn,
  stored,
  archive,
  daysStatement,
  equalDays,
  failures,
  hosts,
}: Facts): string {
  const strata = [...drawn.strata].map(([name, one]) => [name, one.drawn, one.of]);
  return [
    `Audit of ${file.chain.name} ${stored.first_day} to ${stored.last_day}, archive ${archive.name}`,
    '',
    `File:     ${file.sha256}`,
    `Query:    ${archive.query_sha256 ?? 'not given (--query)'}`,
    ...stored.draws.map(
      ({ seed, block_number, drawn_at }) =>
        `Draw:     ${seed}, from final block ${formatCount(block_number)} at ${drawn_at}`,
    ),
    `Nodes:    ${hosts.join(', ')}`,
    '',
    `All ${pluralize(file.days.length, 'day')}: rows follow each other without gap or overlap, and the controls in the file are 0.`,
    `All ${pluralize(file.days.length, 'day')}: the first and the last block are proven by their headers, and these nodes report them.`,
    `${pluralize(equalDays, 'proven day')} of this stage: equal. They are no random sample.`,
    '',
    formatTable(['stratum', 'compared', 'ranges'], strata),
    '',
    archive.audit.statement,
    ...(daysStatement ? [daysStatement] : []),
    'A range that was not drawn may be wrong: one bad range is found with a probability of its share that was drawn.',
    ...(failures > 0
      ? [
          `Before this, ${pluralize(failures, 'other file')} of ${file.chain.name} failed here. Each try weakens the confidence.`,
        ]
      : []),
  ].join('\n');
}
