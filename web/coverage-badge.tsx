import type { ChainName } from '../core/chains/chains.ts';
import { type ChainStatus, statusOf } from './api-client.ts';
import { type ChainGaps, coverageSummary, coverageText, groupByText } from './coverage.ts';
import { chainLabel } from './labels.ts';
import { inDays, type ShownInterval } from './periods.ts';

interface Props {
  readonly coverages: readonly ChainGaps[];
  /** Chains of which nothing is known. */
  readonly failed: readonly ChainName[];
  readonly statuses: readonly ChainStatus[];
  readonly interval: ShownInterval;
}

/** States in a few words whether days are missing, and lists them when opened. */
export function CoverageBadge({ coverages, failed, statuses, interval }: Props) {
  const { text, isMissing } = coverageSummary(coverages, inDays(interval));
  const textOf = (coverage: ChainGaps) =>
    coverageText(coverage) + behindText(statusOf(statuses, coverage.chain));
  return (
    <details class="badge" data-missing={isMissing}>
      <summary>
        {failed.length > 0 && `${failed.map(chainLabel).join(', ')} not loaded; others: `}
        {text}
      </summary>
      <ul>
        {Array.from(groupByText(coverages, textOf), ([each, chains]) => (
          <li key={each}>
            <b>{chains.map(chainLabel).join(', ')}</b> {each}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** States how far the ingest is behind the chain, if it is behind by more than an hour. */
const behindText = (status: ChainStatus | undefined): string => {
  const hours = Math.floor((status?.secondsBehind ?? 0) / 3_600);
  return hours < 1 ? '' : ` The ingest is ${hours} h behind the chain.`;
};
