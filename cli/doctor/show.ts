import { type Cell, formatDuration, formatTable } from '../print.ts';
import type { Check, Examination } from './examination.ts';
import { type Latency, shownRate } from './speed.ts';
import type { Verdict } from './verdict.ts';

/** What was found of a chain. */
export interface Diagnosis extends Verdict {
  readonly endpoints: readonly Examination[];
}

const HEAD = [
  ...['chain', 'endpoint', 'chain ID', 'finalized', 'receipts', 'history since'],
  ...['header, ms', 'receipts, ms', 'calls/s'],
];
const LEGEND = 'Latency is the median and the 95th percentile of 12 calls; calls/s with how many at once.';

/** @param now seconds */
export function showDiagnoses(diagnoses: readonly Diagnosis[], now: number): string {
  const rows = diagnoses.flatMap(({ chain, endpoints }) =>
    endpoints.map((examined, index) => [index === 0 ? chain : '', ...cellsOf(examined, now)]),
  );
  const verdicts = diagnoses.map(({ chain, summary, problems }) =>
    [`${chain} ${summary}`, ...problems.map((problem) => `  ${problem}`)].join('\n'),
  );
  return [...(rows.length > 0 ? [formatTable(HEAD, rows), LEGEND] : []), ...verdicts].join('\n\n');
}

/** Of a check that failed it says how; one that was not made is empty. */
function cellsOf(examined: Examination, now: number): Cell[] {
  const { endpoint, finalized, has_receipts, history, header_latency, receipts_latency, limits } = examined;
  const cell = (check: Check, found: string | false | undefined) =>
    examined.problems.find((problem) => problem.check === check)?.kind ?? (found || '');
  return [
    endpoint,
    cell('chain ID', 'ok'),
    cell('finalized block', finalized && `${formatDuration(now - finalized.timestamp)} ago`),
    cell('receipts', has_receipts && 'ok'),
    cell('history', history && `${history.since}${history.block === 0 ? ' (all)' : ''}`),
    cell('latency', header_latency && shownLatency(header_latency)),
    cell('latency', receipts_latency && shownLatency(receipts_latency)),
    cell('limits', limits && `${shownRate(limits.calls_per_second)} at ${limits.calls_at_once}`),
  ];
}

const shownLatency = ({ median_ms, p95_ms }: Latency) => `${median_ms} / ${p95_ms}`;
