import { earlier } from '../../core/figures/calendar.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import { settledRevision } from '../../core/store/chain/coverage.ts';
import type { QueryContext } from './days-response.ts';

/** Returns a strong entity tag, which stands for one body, without reading days; undefined until the last commit is settled. */
export function entityTag(
  { query, mediaType, chains, yesterday }: QueryContext,
  now = Date.now(),
): string | undefined {
  const isSettled = chains.every(
    ({ coverage }) => !coverage || settledRevision(coverage, now) >= coverage.revision,
  );
  if (!isSettled) return undefined;
  const { start_date, end_date, interval, evidence, fields } = query;
  // X-Days-Missing counts complete days without a figure, so it may grow while the data stays the same.
  const lastComplete = earlier(end_date, yesterday);
  const names = chains.map(({ chain }) => chain).join('+');
  const revisions = chains.map(({ coverage }) => coverage?.revision ?? 0).join('+');
  const chosen = fields === undefined ? '' : `;${fields.replaceAll(',', '+')}`;
  const suffix = `${interval === 'day' ? '' : `;${interval}`}${evidence ? `;${evidence}` : ''}${chosen}`;
  // A tag may hold no space, and a comma separates tags in If-None-Match.
  return `"${names};${start_date};${end_date};${lastComplete};${mediaType};${revisions};${SOFTWARE_VERSION}${suffix}"`;
}

/** Returns whether an If-None-Match header (RFC 9110) names a tag. A gateway that compresses a response weakens its tag: `W/`. */
export const matchesIfNoneMatch = (tag: string, header = ''): boolean =>
  header
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
