import type { TargetedClipboardEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ChainName } from '../lambda/chains/chains.ts';
import { type Amount, formatExact, groupThousands } from './amounts.ts';
import { figures, isFee, unitOf } from './figures.ts';
import { chainLabel } from './labels.ts';
import { periodLabel } from './periods.ts';
import { alignColumn, columnTotals, type Order, sortRows, type TableRow } from './rows.ts';
import type { View } from './view.ts';

interface Props {
  readonly rows: readonly TableRow[];
  readonly chains: readonly ChainName[];
  readonly view: View;
}

/** Rows that are drawn at first: thousands take a second, and few readers scroll past these. */
const FIRST_ROWS = 100;

/** Shows all figures of the view. Copying from it yields every digit. */
export function FigureTable({ rows, chains, view }: Props) {
  const [order, setOrder] = useState<Order>({ column: 'date', isDescending: true });
  const [isWhole, setWhole] = useState(false);
  const sorted = useMemo(() => sortRows(rows, order), [rows, order]);
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_ROWS);
  const totals = useMemo(() => columnTotals(rows, chains.length), [rows, chains]);
  // The total is aligned with the figures.
  const columns = chains.map((_, column) =>
    alignColumn([...shown.map(({ amounts }) => amounts[column]), totals[column]]),
  );
  const exact = (amount: Amount, chain: ChainName) =>
    `${groupThousands(formatExact(amount))} ${unitOf(view.figure, chain)}`;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus */}
      <section class="scroll" id="table" aria-label="Table of the figures" tabIndex={0} onCopy={copyExact}>
        <table>
          <caption>
            {figures[view.figure]} rounded to five digits. Hover, copy or download for every digit.
          </caption>
          <thead>
            <tr>
              <Heading
                label={view.interval === 'day' ? 'Day' : 'Period'}
                column="date"
                order={order}
                onOrder={setOrder}
              />
              {chains.map((chain, column) => {
                const label = isFee(view.figure)
                  ? `${chainLabel(chain)} (${unitOf(view.figure, chain)})`
                  : chainLabel(chain);
                return <Heading key={chain} {...{ label, column, order }} onOrder={setOrder} />;
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ date, amounts }, row) => (
              <tr key={date}>
                <th scope="row">{view.interval === 'day' ? date : periodLabel(date, view.interval)}</th>
                {chains.map((chain, column) => {
                  const amount = amounts[column];
                  if (amount === undefined)
                    return (
                      <td key={chain} data-exact="">
                        <em>no final figure</em>
                      </td>
                    );
                  return (
                    <td key={chain} title={exact(amount, chain)} data-exact={formatExact(amount)}>
                      {columns[column]?.[row]}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {chains.map((chain, column) => {
                const total = totals[column] ?? 0n;
                return (
                  <td key={chain} title={exact(total, chain)} data-exact={formatExact(total)}>
                    {columns[column]?.at(-1)}
                  </td>
                );
              })}
            </tr>
          </tfoot>
        </table>
      </section>
      {shown.length < sorted.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {sorted.length.toLocaleString('en')} rows
        </button>
      )}
    </>
  );
}

function Heading(props: {
  readonly label: string;
  readonly column: Order['column'];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}) {
  const { label, column, order, onOrder } = props;
  const isSorted = order.column === column;
  const direction = order.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        onClick={() => onOrder({ column, isDescending: isSorted ? !order.isDescending : true })}
      >
        {label}
        <span aria-hidden="true">{isSorted ? (order.isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
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
