import type { ChainName } from '../../core/chains/chains.ts';
import { type ChainStatus, statusOf } from '../data/api-client.ts';
import { type ChainGaps, coverageSummary, coverageText, groupByText } from '../model/coverage.ts';
import { chainLabel } from '../model/labels.ts';
import { inDays, type ShownInterval } from '../model/periods.ts';

interface Props {
  readonly coverages: readonly ChainGaps[];
  /** Chains of which nothing is known. */
  readonly failed: readonly ChainName[];
  readonly statuses: readonly ChainStatus[];
  readonly interval: ShownInterval;
  readonly onSelect: (chain: ChainName, date: string) => void;
}

/** States in a few words whether days are missing, and lists them when opened. */
export function CoverageBadge({ coverages, failed, statuses, interval, onSelect }: Props) {
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
            <b>{chains.map(chainLabel).join(', ')}</b>{' '}
            <Linked text={each} onSelect={(date) => chains[0] && onSelect(chains[0], date)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface LinkedProps {
  readonly text: string;
  readonly onSelect: (date: string) => void;
}

/** Shows a text whose dates open their day. */
const Linked = ({ text, onSelect }: LinkedProps) => (
  <>
    {text.split(/(\d{4}-\d\d-\d\d)/).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <button type="button" class="link" key={part} onClick={() => onSelect(part)}>
          {part}
        </button>
      ),
    )}
  </>
);

/** States how far the ingest is behind the chain, if it is behind by more than an hour. */
const behindText = (status: ChainStatus | undefined): string => {
  const hours = Math.floor((status?.secondsBehind ?? 0) / 3_600);
  return hours < 1 ? '' : ` The ingest is ${hours} h behind the chain.`;
};
