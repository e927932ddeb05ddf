import { printable } from '../printable.ts';
import { EndpointError, type FaultKind } from './endpoint.ts';

/* A trace of what a run asks and changes. It never has a URL or a header, which may hold secrets. */

export type TraceLine =
  | {
      readonly host: string;
      /** The method with its parameters, or the path: `eth_getBlockReceipts 21000000`. */
      readonly request: string;
      readonly ms: number;
      readonly outcome: 'ok' | FaultKind | 'aborted';
    }
  | {
      readonly chain: string;
      /** The items that one commit changes, such as `put 2026-11-20, delete progress#2026-11-20`. */
      readonly commit: string;
      readonly outcome: 'done' | 'overtaken' | 'unknown';
    };

export type Trace = (line: TraceLine) => void;

const MAX_LENGTH = 120;

/** Does a request, and traces it. Without a trace, it costs nothing. */
export async function traced<T>(
  trace: Trace | undefined,
  host: string,
  request: string,
  send: () => Promise<T>,
): Promise<T> {
  if (!trace) return send();
  const startedAt = performance.now();
  const end = (outcome: 'ok' | FaultKind | 'aborted') =>
    trace({ host, request: readable(request), ms: Math.round(performance.now() - startedAt), outcome });
  try {
    const answer = await send();
    end('ok');
    return answer;
  } catch (error) {
    end(error instanceof EndpointError ? error.kind : 'aborted');
    throw error;
  }
}

/** Writes numbers of blocks in decimal, and cuts hashes. */
const readable = (request: string): string =>
  printable(request)
    .replaceAll(/(?<= )0x[0-9a-f]+/g, (hex) => (hex.length < 16 ? `${Number(hex)}` : `${hex.slice(0, 10)}…`))
    .slice(0, MAX_LENGTH);
