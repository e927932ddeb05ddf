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
    headingOf(metric === 'fees' ? `${chainLabel(chain)} (${unitOf(metric, chain)})` : chainLabel(chain)),
  );
  return element(
    'table',
    {},
    element('caption', {}, `${metrics[metric]} per UTC day with every digit, newest first`),
    element('thead', {}, element('tr', {}, headingOf('Day'), ...headings)),
    element('tbody', {}, ...days.toReversed().map((day) => rowOf(day, chains.length))),
  );
}

const headingOf = (text: string) => element('th', { scope: 'col' }, text);

const rowOf = ({ date, values }: Day, columns: number) =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, date),
    ...Array.from({ length: columns }, (_, column) => {
      const value = values[column];
      return element('td', {}, value ?? element('em', {}, 'no final figure'));
    }),
  );
