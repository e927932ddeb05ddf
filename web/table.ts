import type { ChainName } from '../lambda/chains/chains.ts';
import type { Day } from './days.ts';
import { element } from './dom.ts';
import { chainLabel } from './labels.ts';
import { type MetricName, metrics, unitOf } from './metrics.ts';

/** Creates the table of all figures with every digit, newest day first. */
export function createTable(
  metric: MetricName,
  chains: readonly ChainName[],
  days: readonly Day[],
): HTMLTableElement {
  const headings = chains.map((chain) =>
    metric === 'fees' ? `${chainLabel(chain)} (${unitOf(metric, chain)})` : chainLabel(chain),
  );
  const headingRow = ['Day', ...headings].map((text) => element('th', { scope: 'col' }, text));
  return element(
    'table',
    {},
    element('caption', {}, `${metrics[metric]} per UTC day with every digit, newest first`),
    element('thead', {}, element('tr', {}, ...headingRow)),
    element('tbody', {}, ...days.toReversed().map(rowOf)),
  );
}

const rowOf = ({ date, values }: Day) =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, date),
    ...values.map((value) => element('td', {}, value ?? element('em', {}, 'no final figure'))),
  );
