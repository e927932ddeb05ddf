import type { ComponentChildren, TargetedClipboardEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { Button } from '../controls/button.tsx';
import { formatExact, groupThousands } from '../model/amounts.ts';
import { figures, formatFigure, isFee, isSum, unitOf } from '../model/figures.ts';
import { chainLabel, partialText } from '../model/labels.ts';
import { inDays, periodLabel } from '../model/periods.ts';
import { alignColumn, columnTotals, type Order, sortRows, type TableRow } from '../model/rows.ts';
import type { View } from '../model/view.ts';

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
    alignColumn([...shown.map(({ amounts }) => amounts[column]), totals[column]], view.figure),
  );
  const textsOf = (row: number) => columns.map((column) => column.at(row));
  return (
    <>
      <p class="muted">{noteOf(view)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus */}
      <section class="scroll" id="table" aria-label="Table of the figures" tabIndex={0} onCopy={copyExact}>
        <table>
          <Head {...{ chains, view, order }} onOrder={setOrder} />
          <tbody>
            {shown.map(({ date, amounts, partials }, row) => (
              <Row key={date} {...{ chains, view, amounts, partials }} texts={textsOf(row)}>
                {view.interval === 'day' ? date : periodLabel(date, view.interval)}
              </Row>
            ))}
          </tbody>
          {isSum(view.figure) && (
            <tfoot>
              <Row {...{ chains, view }} amounts={totals} texts={textsOf(-1)}>
                Total
              </Row>
            </tfoot>
          )}
        </table>
      </section>
      {shown.length < sorted.length && (
        <Button onClick={() => setWhole(true)}>Show all {sorted.length.toLocaleString('en')} rows</Button>
      )}
    </>
  );
}

/** Says why a cell is empty. A period has a figure only if all its days have one. */
const absence = ({ figure, interval }: View): string => {
  if (inDays(interval) !== 'day') return `incomplete ${interval}`;
  return figure === 'fees_usd' ? 'no dollars' : 'no final figure';
};

const noteOf = ({ figure }: View): string => {
  const form = isSum(figure) ? 'rounded to five digits' : 'as bounds, at most 4 % apart';
  return `${figures[figure]} ${form}. Hover, copy or download for every digit.`;
};

interface RowProps extends Pick<Props, 'chains' | 'view'> {
  readonly amounts: TableRow['amounts'];
  readonly partials?: TableRow['partials'];
  readonly texts: readonly (string | undefined)[];
  readonly children: ComponentChildren;
}

function Row({ chains, view, amounts, partials = [], texts, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{children}</th>
      {chains.map((chain, column) => {
        const amount = amounts[column];
        const exact = amount === undefined ? '' : formatFigure(view.figure, amount, formatExact);
        return (
          <td
            key={chain}
            data-exact={exact}
            title={exact && `${groupThousands(exact)} ${unitOf(view.figure, chain)}`}
          >
            {texts[column] ?? <em>{partialText(view.figure, partials[column]) ?? absence(view)}</em>}
          </td>
        );
      })}
    </tr>
  );
}

interface HeadProps extends Pick<Props, 'chains' | 'view'> {
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Head({ chains, view: { figure, interval }, order, onOrder }: HeadProps) {
  const unit = (chain: ChainName) => (isFee(figure) ? ` (${unitOf(figure, chain)})` : '');
  return (
    <thead>
      <tr>
        <Heading
          label={interval === 'hour' ? 'Hour' : interval === 'day' ? 'Day' : 'Period'}
          column="date"
          {...{ order, onOrder }}
        />
        {chains.map((chain, column) => (
          <Heading key={chain} label={`${chainLabel(chain)}${unit(chain)}`} {...{ column, order, onOrder }} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadingProps extends Pick<HeadProps, 'order' | 'onOrder'> {
  readonly label: string;
  readonly column: Order['column'];
}

function Heading({ label, column, order, onOrder }: HeadingProps) {
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
