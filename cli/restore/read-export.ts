import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { decodeManifest, fileNameOf, MANIFEST, type Manifest, sha256Of } from '../../core/backup/manifest.ts';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import type { Restatement } from '../../core/figures/day-figures.ts';
import { decodeConflict, isConflict, type OpenConflict } from '../../core/store/chain/conflicts.ts';
import { type Coverage, decodeCoverage } from '../../core/store/chain/coverage.ts';
import { decodeCheckpoint } from '../../core/store/days/checkpoint-item.ts';
import { parseStoredDay, type StoredDay } from '../../core/store/days/day-item.ts';
import { decodeDetails } from '../../core/store/days/details.ts';
import { InvalidItemError } from '../../core/store/table/decode-item.ts';
import { detailsKey, isDetails } from '../../core/store/table/keys.ts';
import { type Attributes, fromAttributes } from '../../core/store/table/query-table.ts';
import type { Item } from '../../core/store/table/table.ts';
import { CommandError } from '../exit-codes.ts';
import { dayProblems, detailProblems } from '../import/validate-rows.ts';
import type { ReadFile } from './export-folder.ts';

/** A final day of an export, and its items as they were stored: that of its details, if it has any, and its own. */
export interface ExportedDay {
  readonly day: StoredDay;
  readonly items: readonly Item[];
}

/** The items of a chain in an export. */
export interface ExportedChain {
  readonly chain: ChainName;
  readonly days: ReadonlyMap<UtcDay, ExportedDay>;
  readonly restatements: readonly { readonly day: UtcDay; readonly restatement: Restatement }[];
  readonly conflicts: readonly OpenConflict[];
  /** Absent when its item cannot be read. */
  readonly coverage?: Coverage | undefined;
  /** Items that cannot be read, with the reasons. */
  readonly problems: readonly string[];
}

type FileOfChain = Manifest['chains'][number];

/**
 * Reads an export and verifies each file against the manifest.
 * @param names only these chains
 * @throws CommandError when it is incomplete, damaged or of another version
 */
export async function readExport(
  place: string,
  read: ReadFile,
  names: readonly ChainName[] | undefined,
): Promise<readonly ExportedChain[]> {
  const bytes = await read(MANIFEST);
  if (!bytes) {
    throw new CommandError(
      `${place} has no ${MANIFEST}: it is no export, or an incomplete one. Choose the export of another day.`,
    );
  }
  const manifest = decodeManifest(bytes);
  if (!manifest) throw damaged(place, MANIFEST, 'this version cannot read it');
  const files = manifest.chains.filter(({ chain }) => names?.includes(chain) ?? true);
  if (files.length === 0) {
    throw new CommandError(
      `${place} has no days of ${names?.join(', ') ?? 'any chain'}. Choose the export of another day.`,
    );
  }
  return Promise.all(files.map(async (file) => readChain(place, file, await read(fileNameOf(file.chain)))));
}

const damaged = (place: string, file: string, reason: string) =>
  new CommandError(`${file} of ${place} is damaged: ${reason}. Choose the export of another day.`);

function readChain(place: string, file: FileOfChain, bytes: Buffer | undefined): ExportedChain {
  const { chain, sha256, items, days } = file;
  const name = fileNameOf(chain);
  if (!bytes) throw damaged(place, name, 'it is missing');
  const found = sha256Of(bytes);
  if (found !== sha256) throw damaged(place, name, `its SHA-256 is ${found}, and the manifest has ${sha256}`);
  const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
  const all = lines.map(decodeLine);
  const dated = all.filter(({ date }) => /^\d/.test(String(date)));
  if (all.length !== items || dated.length !== days) {
    const counts = `${all.length} items and ${dated.length} days`;
    throw damaged(place, name, `it has ${counts}, and the manifest counts ${items} and ${days}`);
  }
  return decodeChain(chain, all);
}

const lineSchema = z.object({ Item: z.custom<Attributes>((value) => typeof value === 'object') });

const decodeLine = (line: string): Item => fromAttributes(lineSchema.parse(JSON.parse(line)).Item);

/** Decodes items as the table does. One that cannot be read becomes a problem, and stops no other. */
function decodeChain(chain: ChainName, items: readonly Item[]): ExportedChain {
  const today = dayOf(Date.now() / 1_000);
  const days = new Map<UtcDay, ExportedDay>();
  const restatements: ExportedChain['restatements'][number][] = [];
  const conflicts: OpenConflict[] = [];
  const problems: string[] = [];
  let coverage: Coverage | undefined;
  const details = new Map(items.filter(isDetails).map((item) => [item.date, item]));
  for (const item of items) {
    try {
      if (item.date === 'coverage') coverage = decodeCoverage({ chain }, item);
      else if (/^\d/.test(String(item.date))) {
        const exported = decodeDay(chain, item, details, today);
        days.set(exported.day.date, exported);
      } else if (isDetails(item)) continue;
      else if (isConflict(item)) conflicts.push(decodeConflict(chain, item));
      else {
        const { day, restatement } = decodeCheckpoint({ chain, rules: chainOf(chain).rules }, item);
        if (restatement) restatements.push({ day, restatement });
      }
    } catch (error) {
      if (!(error instanceof InvalidItemError)) throw error;
      problems.push(error.message);
    }
  }
  return { chain, days, restatements, conflicts, coverage, problems };
}

/** @throws InvalidItemError for a day that the table should not have had */
function decodeDay(
  chain: ChainName,
  item: Item,
  allDetails: ReadonlyMap<unknown, Item>,
  today: UtcDay,
): ExportedDay {
  const refuse = (...problems: readonly string[]) => {
    throw new InvalidItemError({ chain, date: String(item.date) }, problems.join(', '));
  };
  const parsed = parseStoredDay(item);
  if ('problem' in parsed) return refuse(parsed.problem);
  const { day } = parsed;
  const own = allDetails.get(detailsKey({ chain }, { day: day.date, revision: day.revision }).date);
  const details = own && decodeDetails({ chain }, own);
  const problems = [...dayProblems(day, today), ...detailProblems({ day, details })];
  return problems.length === 0 ? { day, items: own ? [own, item] : [item] } : refuse(...problems);
}
