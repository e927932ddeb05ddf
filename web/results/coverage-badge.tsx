import type { ChainName } from '../../core/chains/chains.ts';
import { behindText, coverageSummary, coverageText, groupByText } from '../model/coverage.ts';
import { chainLabel, listLabels } from '../model/labels.ts';
import type { Shown } from '../model/shown.ts';

interface Props {
  readonly shown: Shown;
  /** Chains of which nothing is known. */
  readonly failed: readonly ChainName[];
  readonly onSelect: (chain: ChainName, date: string) => void;
}

/** States in a few words whether days are missing, and lists them when opened. Each date opens its day. */
export function CoverageBadge({ shown, failed, onSelect }: Props) {
  const { text, isMissing } = coverageSummary(shown);
  const groups = groupByText(shown, (chain) => coverageText(shown, chain) + behindText(chain));
  return (
    <details class="badge" data-missing={isMissing}>
      <summary>
        {failed.length > 0 && `${listLabels(failed)} not loaded; others: `}
        {text}
      </summary>
      <ul>
        {Array.from(groups, ([each, chains]) => (
          <li key={each}>
            <b>{chains.map(chainLabel).join(', ')}</b>{' '}
            {each.split(/(\d{4}-\d\d-\d\d)/).map((part, index) =>
              index % 2 === 0 ? (
                part
              ) : (
                <button
                  type="button"
                  class="link"
                  key={part}
                  onClick={() => chains[0] && onSelect(chains[0], part)}
                >
                  {part}
                </button>
              ),
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
