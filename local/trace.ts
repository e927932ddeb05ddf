import type { Trace, TraceLine } from '../core/rpc/trace.ts';

/** Returns a trace that prints each line to stderr if the variable TRACE is set. */
export const traceOf = ({ TRACE }: NodeJS.ProcessEnv): Trace | undefined =>
  TRACE === undefined || TRACE === '0' || TRACE === '' ? undefined : (line) => console.error(textOf(line));

/** Writes a line in columns, such as `12:00:01.250    85 ms ok           base.drpc.org eth_getBlockReceipts 21000000`. */
function textOf(line: TraceLine): string {
  const time = new Date().toISOString().slice(11, 23);
  const { outcome } = line;
  return 'host' in line
    ? `${time} ${String(line.ms).padStart(5)} ms ${outcome.padEnd(16)} ${line.host} ${line.request}`
    : `${time}   commit ${outcome.padEnd(16)} ${line.chain} ${line.commit}`;
}
