import { earlier } from '../../core/figures/calendar.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import type { QueryContext } from './days-response.ts';

/** Returns a strong entity tag, which stands for one body with its headers, without reading days; undefined while some are replaced. */
export function entityTag({ query, mediaType, coverage, yesterday }: QueryContext): string | undefined {
  if (coverage?.replacing_since !== undefined) return undefined;
  const { chain, start_date, end_date, interval, evidence, fields } = query;
  // X-Days-Missing counts complete days without a figure, so it may grow while the data stays the same.
  const lastComplete = earlier(end_date, yesterday);
  const revision = coverage?.revision ?? 0;
  const chosen = fields === undefined ? '' : `;${fields.replaceAll(',', '+')}`;
  const suffix = `${interval === 'day' ? '' : `;${interval}`}${evidence ? `;${evidence}` : ''}${chosen}`;
  // A tag may hold no space, and a comma separates tags in If-None-Match.
  return `"${chain};${start_date};${end_date};${lastComplete};${mediaType};${revision};${SOFTWARE_VERSION}${suffix}"`;
}

/** Returns whether an If-None-Match header (RFC 9110) names a tag. A gateway that compresses a response weakens its tag: `W/`. */
export const matchesIfNoneMatch = (tag: string, header = ''): boolean =>
  header
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
