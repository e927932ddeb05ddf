import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import { contains } from '../model/queries.ts';
import { type Api, type ChainDays, type ChainQuery, fetchDays } from './api-client.ts';

interface Answer extends ChainQuery {
  readonly result: ChainDays | ChainInsightsError;
}

/** Keeps days that were loaded, and the errors of those that could not be. */
export function createDayCache() {
  let answers: readonly Answer[] = [];
  const find = (query: ChainQuery) => answers.find((answer) => contains(answer, query))?.result;
  /** Loads queries that differ only in their chain. */
  const loadTogether = async (
    api: Api,
    queries: readonly [ChainQuery, ...ChainQuery[]],
    signal: AbortSignal,
    onAnswer: () => void,
  ) => {
    const chains = queries.map(({ chain }) => chain);
    const loaded = await fetchDays(api, chains, queries[0], signal).catch((error: unknown) =>
      error instanceof ChainInsightsError ? error : new ChainInsightsError(String(error)),
    );
    if (signal.aborted) return;
    const resultOf = (chain: ChainName) =>
      loaded instanceof ChainInsightsError ? loaded : (loaded.get(chain) ?? { rows: [] });
    answers = [...queries.map((query) => ({ ...query, result: resultOf(query.chain) })), ...answers];
    onAnswer();
  };
  return {
    /** Returns the days of a query or of a wider one, its error, or undefined before it is loaded. */
    find,
    /** Loads what is not loaded yet, all chains in one request. Calls `onAnswer` after each answer, unless the signal aborts it. */
    load: async (api: Api, queries: readonly ChainQuery[], signal: AbortSignal, onAnswer: () => void) => {
      const isAsked = (query: ChainQuery, index: number) =>
        queries.slice(0, index).some((other) => contains(other, query));
      const missing = queries.filter((query, index) => !find(query) && !isAsked(query, index));
      const together = Map.groupBy(missing, ({ chain: _, ...query }) => JSON.stringify(query));
      await Promise.all(
        Array.from(together.values(), ([first, ...others]) =>
          first ? loadTogether(api, [first, ...others], signal, onAnswer) : undefined,
        ),
      );
    },
    forgetErrors: () => {
      answers = answers.filter(({ result }) => !(result instanceof ChainInsightsError));
    },
  };
}
