import type { TargetedClipboardEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { Button } from '../controls/elements.tsx';
import { showNext } from '../controls/focus.ts';
import { formatExact } from '../model/amounts.ts';
import { absenceText, exactText, tableNote } from '../model/captions.ts';
import { amountIn, type Cell, partIn } from '../model/cells.ts';
import { formatFigure, isFee } from '../model/figures.ts';
import { chainLabel } from '../model/labels.ts';
import { periodLabel } from '../model/periods.ts';
import type { Shown, ShownChain } from '../model/shown.ts';
import { alignColumn, type Order, sortedDates } from '../model/table-rows.ts';

/** Rows that are drawn at first: thousands take a second, and few readers scroll past these. */
const FIRST_ROWS = 100;

/** Shows all figures of a view. Copying from it yields every digit. */
export function FigureTable({ shown }: { readonly shown: Shown }) {
  const { chains, dates, view } = shown;
  const [order, setOrder] = useState<Order>({ column: 'date', isDescending: true });
  const [isWhole, setWhole] = useState(false);
  const sorted = useMemo(() => sortedDates(shown, order), [shown, order]);
  const rows = isWhole ? sorted : sorted.slice(0, FIRST_ROWS);
  const amountsOf = ({ cells }: ShownChain) => rows.map((index) => amountIn(cells[index]));
  const columns = chains.map((chain) => alignColumn(amountsOf(chain), view.figure));
  const showAll = () => {
    setWhole(true);
    // The button disappears.
    showNext('table');
  };
  return (
    <section class="card" aria-labelledby="table-title">
      <h2 id="table-title">Figures</h2>
      <p class="muted">{tableNote(shown)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus */}
      <section class="scroll" id="table" aria-label="Table of the figures" tabIndex={0} onCopy={copyExact}>
        <table translate={false}>
          <Head {...{ shown, order }} onOrder={setOrder} />
          <tbody>
            {rows.map((index, row) => (
              <tr key={dates[index]}>
                <th scope="row">
                  {view.interval === 'day' ? dates[index] : periodLabel(dates[index] ?? '', view.interval)}
                </th>
                {chains.map(({ chain, cells }, column) => (
                  <td key={chain} {...exactOf(shown, chain, cells[index])}>
                    {columns[column]?.[row] ?? <em>{absenceText(shown, { cells }, index)}</em>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length < sorted.length && (
        <Button onClick={showAll}>Show all {sorted.length.toLocaleString('en')} rows</Button>
      )}
    </section>
  );
}

/** Every digit of a cell with its unit. Copying takes the digits, except of a period that lacks days. */
function exactOf(shown: Shown, chain: ChainName, cell: Cell | undefined) {
  const amount = amountIn(cell);
  const shownAmount = amount ?? partIn(cell)?.amount;
  return {
    'data-exact': amount === undefined ? '' : formatFigure(shown.view.figure, amount, formatExact),
    title: shownAmount === undefined ? undefined : exactText(shown, chain, shownAmount),
  };
}

interface HeadProps {
  readonly shown: Shown;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Head({ shown: { chains, view }, order, onOrder }: HeadProps) {
  const { figure, interval } = view;
  const date = interval === 'hour' ? 'Hour' : interval === 'day' ? 'Day' : 'Period';
  const names = chains.map(({ chain, unit }) => `${chainLabel(chain)}${isFee(figure) ? ` (${unit})` : ''}`);
  const [direction, arrow] = order.isDescending
    ? (['descending', ' ↓'] as const)
    : (['ascending', ' ↑'] as const);
  return (
    <thead>
      <tr>
        {([['date', date], ...names.entries()] as const).map(([column, label]) => {
          const isSorted = order.column === column;
          return (
            <th scope="col" key={column} aria-sort={isSorted ? direction : 'none'}>
              <button
                type="button"
                onClick={() => onOrder({ column, isDescending: !isSorted || !order.isDescending })}
              >
                {label}
                <span aria-hidden="true">{isSorted && arrow}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Puts the selected rows into the clipboard with every digit, separated by tabs as spreadsheets expect. */
function copyExact(event: TargetedClipboardEvent<HTMLElement>): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return;
  const isSelected = (cell: Element) => selection.containsNode(cell, true);
  const lines = Array.from(event.currentTarget.querySelectorAll('tr'), (row: Element) =>
    [...row.children]
      .filter(isSelected)
      .map((cell) => cell.getAttribute('data-exact') ?? cell.textContent?.replace(/ [↓↑]$/, '')),
  ).filter((cells) => cells.length > 0);
  event.clipboardData?.setData('text/plain', lines.map((cells) => cells.join('\t')).join('\n'));
  event.preventDefault();
}
