import type { ChainName } from '../../core/chains/chains.ts';
import type { ChainSource } from '../model/cells.ts';
import { chainLabel } from '../model/labels.ts';
import { ApiError, type ChainDays, type ChainQuery, type ChainStatus, statusOf } from './api-client.ts';

export type Find = (query: ChainQuery) => ChainDays | ApiError | undefined;

/** Returns what was loaded of some chains, and the chains that failed or have not answered yet. */
export function loadedOf(
  find: Find,
  queries: readonly Record<'series' | 'recent', ChainQuery>[],
  statuses: readonly ChainStatus[],
) {
  const errors: (readonly [ChainName, ApiError])[] = [];
  const pending: ChainName[] = [];
  const sources: ChainSource[] = [];
  for (const { series, recent } of queries) {
    const { chain } = series;
    const [rows, days] = [find(series), find(recent)];
    if (!rows || !days) pending.push(chain);
    else if (rows instanceof ApiError) errors.push([chain, rows]);
    else if (days instanceof ApiError) errors.push([chain, days]);
    else sources.push({ ...rows, chain, days: days.rows, status: statusOf(statuses, chain) });
  }
  return { errors, pending, sources };
}

/** Names the chains that failed, unless all did. */
export const errorTexts = (errors: ReturnType<typeof loadedOf>['errors'], count: number): string[] =>
  errors.map(([chain, { message }]) =>
    errors.length === count ? message : `${chainLabel(chain)}: ${message}`,
  );
