import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { ChainSource } from '../model/cells.ts';
import { hasFigure } from '../model/figures.ts';
import { type ChainQuery, queriesOf } from '../model/queries.ts';
import { type Shown, shownOf } from '../model/shown.ts';
import type { View } from '../model/view.ts';
import { ApiError, type ChainDays, type ChainStatus, statusOf } from './api-client.ts';

export type Find = (query: ChainQuery) => ChainDays | ApiError | undefined;

/** A chain that could not be loaded, and the reason. */
export type ChainError = readonly [ChainName, ApiError];

/** The loaded part of a view: undefined before any chain has answered. */
export interface Loading {
  readonly shown: Shown | undefined;
  readonly errors: readonly ChainError[];
  /** Chains that have not answered yet. */
  readonly pending: readonly ChainName[];
}

/**
 * Builds the model of a view from what was loaded.
 * @param drawn the view with the range that is drawn, which may be narrower while two fingers move
 */
export function loadingOf(
  find: Find,
  view: View,
  drawn: View,
  statuses: readonly ChainStatus[],
  today: UtcDay,
): Loading {
  const errors: ChainError[] = [];
  const pending: ChainName[] = [];
  const sources: ChainSource[] = [];
  for (const chain of view.chains.filter((name) => hasFigure(name, view.figure))) {
    const queries = queriesOf(view, chain);
    const [series, recent] = [find(queries.series), find(queries.recent)];
    if (!series || !recent) pending.push(chain);
    else if (series instanceof ApiError) errors.push([chain, series]);
    else if (recent instanceof ApiError) errors.push([chain, recent]);
    else {
      const { rows, dataThrough } = series;
      sources.push({ chain, rows, days: recent.rows, dataThrough, status: statusOf(statuses, chain) });
    }
  }
  const isNothing = pending.length > 0 && sources.length === 0;
  return { shown: isNothing ? undefined : shownOf(drawn, sources, today), errors, pending };
}
