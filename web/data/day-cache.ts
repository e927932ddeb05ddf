import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import { contains } from '../model/queries.ts';
import { type Api, type ChainDays, type ChainQuery, fetchDays } from './api-client.ts';

interface Answer extends ChainQuery {
  readonly result: ChainDays | ChainInsightsError;
}

/** Keeps days that were loaded, and the errors of those that could not be. */
export function createDayCache() {
  let answers: readonly Answer[] = [];
  const find = (query: ChainQuery) => answers.find((answer) => contains(answer, query))?.result;
  const loadOne = async (api: Api, query: ChainQuery, signal: AbortSignal, onAnswer: () => void) => {
    const result = await fetchDays(api, query, signal).catch((error: unknown) =>
      error instanceof ChainInsightsError ? error : new ChainInsightsError(String(error)),
    );
    if (signal.aborted) return;
    answers = [{ ...query, result }, ...answers];
    onAnswer();
  };
  return {
    /** Returns the days of a query or of a wider one, its error, or undefined before it is loaded. */
    find,
    /** Loads what is not loaded yet. Calls `onAnswer` after each answer, unless the signal aborts it. */
    load: async (api: Api, queries: readonly ChainQuery[], signal: AbortSignal, onAnswer: () => void) => {
      const isAsked = (query: ChainQuery, index: number) =>
        queries.slice(0, index).some((other) => contains(other, query));
      const missing = queries.filter((query, index) => !find(query) && !isAsked(query, index));
      await Promise.all(missing.map((query) => loadOne(api, query, signal, onAnswer)));
    },
    forgetErrors: () => {
      answers = answers.filter(({ result }) => !(result instanceof ChainInsightsError));
    },
  };
}
