import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { CommandError } from '#cli/exit-codes.ts';
import { validateRows } from '#cli/import/validate-rows.ts';
import { HOST_PATTERN } from '#core/figures/day-figures.ts';
import { VERSION_PATTERN } from '#core/store/days/day-item.ts';
import { fileOf } from '#test/support/generators/rows/filled-table.ts';
import { restatedDay } from '#test/support/generators/rows/stored-days.ts';
import { changed, type FuzzTarget, fuzzTarget, hostileJson, hostileText, must } from './target.ts';

/* Files for `import`. */

const MAX_FILE = 16 * 1024 ** 2;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const row = JSON.parse(fileOf([{ day: restatedDay() }]));
const options = { removeUndefinedValues: true, allowImpreciseNumbers: true, convertClassInstanceToMap: true };
const lineOf = (item: object) => JSON.stringify({ Item: marshall(item, options) });
const line = fc.oneof(
  { weight: 2, arbitrary: changed(row.Item).map((Item) => JSON.stringify({ Item })) },
  { weight: 4, arbitrary: changed(unmarshall(row.Item)).map(lineOf) },
  { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: hostileText },
);

const smallFile = fc.array(line, { maxLength: 10 }).map((lines) => lines.join('\n'));

/** Parts that are repeated within a field or a line of a large file. */
const parts = [
  '[',
  '{"a":',
  '1,',
  '{},',
  '"a",',
  '\n',
  '{}\n',
  '[1]\n',
  '"\\u001b',
  `${JSON.stringify(row)}\n`,
];
const openings = ['', '[', '{"Item":{"restated":{"L":[', '{"Item":{"blob_fees":{"N":"', '{"Item":{"\u202e'];
const closings = ['', ']', ']}}}', '"}}}', '0]}}}'];
const largeFile = fc
  .tuple(
    fc.constantFrom(...openings),
    fc.constantFrom(...parts),
    fc.constantFrom(900_000, MAX_FILE),
    fc.constantFrom(...closings),
  )
  .map(([opening, part, size, closing]) => opening + part.repeat(size / part.length) + closing);

/** Runs the checks of an import that need no table, and checks what would be printed and written. */
async function importFile(text: string): Promise<void> {
  try {
    const { rows, problems } = validateRows([{ file: 'days.ndjson', text }], '2026-01-01');
    for (const { problem } of problems.slice(0, 1_000)) {
      must(!UNPRINTABLE.test(problem), `a problem is printable: ${JSON.stringify(problem)}`);
      must(problem.length < 2_000, 'a problem fits a message');
    }
    must(rows.length <= text.length / 100, 'each day comes from a line');
    for (const { day } of rows) {
      must(VERSION_PATTERN.test(day.software_version), 'a version is not a formula');
      for (const host of day.endpoint_hosts) must(HOST_PATTERN.test(host), 'a host is not a formula');
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
}

export const fileTargets: readonly FuzzTarget[] = [
  fuzzTarget('files to import', smallFile, importFile),
  fuzzTarget('files to import of 1 to 16 MB', largeFile, importFile),
];
