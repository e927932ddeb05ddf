import type { ChainName } from '../lambda/chains/chains.ts';
import { element } from './dom.ts';
import type { Day } from './figures.ts';
import { type Metric, metrics, unitOf } from './metrics.ts';
import { nameOf } from './words.ts';

/** The figures of a chart with all their digits, the newest day first. */
export function tableOf(
  metric: Metric,
  chains: readonly ChainName[],
  days: readonly Day[],
): HTMLTableElement {
  const heads = chains.map((chain) =>
    headOf(metric === 'fees' ? `${nameOf(chain)} (${unitOf(metric, chain)})` : nameOf(chain)),
  );
  return element(
    'table',
    {},
    element('caption', {}, `${metrics[metric]} of each UTC day with all digits, the newest first`),
    element('thead', {}, element('tr', {}, headOf('Day'), ...heads)),
    element('tbody', {}, ...days.toReversed().map((day) => rowOf(day, chains.length))),
  );
}

const headOf = (text: string) => element('th', { scope: 'col' }, text);

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
