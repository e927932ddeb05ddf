import { earlier } from '../../core/figures/calendar.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import type { QueryContext } from './days-response.ts';

/**
 * Returns the strong entity tag of a response, without reading any days: responses to the same URL with the same tag have the same
 * body and headers.
 * @returns undefined while an import replaces days: the body may then change within a revision
 */
export function entityTag({ query, mediaType, coverage, yesterday }: QueryContext): string | undefined {
  if (coverage?.replacingSince !== undefined) return undefined;
  const { chain, start_date, end_date, interval, evidence, fields } = query;
  // X-Days-Missing counts complete days without a figure, so it may grow while the data stays the same.
  const lastComplete = earlier(end_date, yesterday);
  const revision = coverage?.revision ?? 0;
  const chosen = fields === undefined ? '' : `;${fields.replaceAll(',', '+')}`;
  const suffix = `${interval === 'day' ? '' : `;${interval}`}${evidence ? `;${evidence}` : ''}${chosen}`;
  // A tag may hold no space, and a comma separates tags in If-None-Match.
  return `"${chain};${start_date};${end_date};${lastComplete};${mediaType};${revision};${SOFTWARE_VERSION}${suffix}"`;
}

/**
 * Returns whether an If-None-Match header names a strong entity tag. The weak form matches too: a gateway that compresses
 * a response weakens its tag.
 * @param header https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export const matchesIfNoneMatch = (tag: string, header = ''): boolean =>
  header
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
