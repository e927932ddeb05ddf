import type { ChainName } from '../../core/chains/chains.ts';
import { type Amount, formatExact, formatRounded, groupThousands, toNumber } from '../model/amounts.ts';
import { formatFigure, isFee, isSum, unitOf } from '../model/figures.ts';
import { chainLabel, formatChange } from '../model/labels.ts';
import { periodLabel } from '../model/periods.ts';
import type { Card, Total } from '../model/summary.ts';
import type { View } from '../model/view.ts';

interface Props {
  readonly cards: readonly Card[];
  readonly view: View;
  readonly onSelect: (chain: ChainName, date: string) => void;
}

/** Shows a card for each chain: its latest final day, and the total and peak of the range. */
export function Cards({ cards, view, onSelect }: Props) {
  return (
    <section class="cards" aria-label="Chains">
      {cards.map((card) => (
        <article class={`card chain-${card.chain}`} key={card.chain}>
          <h2>
            {card.rank && `${card.rank.place}. `}
            {chainLabel(card.chain)}
          </h2>
          <LatestDay card={card} view={view} onSelect={onSelect} />
          <RangeTotal card={card} cards={cards} view={view} onSelect={onSelect} />
        </article>
      ))}
    </section>
  );
}

type CardProps = { readonly card: Card } & Pick<Props, 'view' | 'onSelect'>;

function LatestDay({ card: { chain, latest }, view, onSelect }: CardProps) {
  if (!latest) return <p class="muted">No final day in the 32 days up to {view.end_date}.</p>;
  const { date, amount, row, changes } = latest;
  return (
    <>
      <p class="muted">Latest day</p>
      {bigAmount(amount, view, chain)}
      <p class="muted">
        <button type="button" class="link" onClick={() => onSelect(chain, date)}>
          {date}
        </button>
        , {row.evidence}
      </p>
      <dl class="changes">
        <Change label="1 day" change={changes.day} />
        <Change label="7 days" change={changes.week} />
        <Change label="30 days" change={changes.month} />
      </dl>
    </>
  );
}

const bigAmount = (amount: Amount, view: View, chain: ChainName) => (
  <p class="amount" title={exactText(amount, view, chain)}>
    <strong>{formatFigure(view.figure, amount)}</strong>{' '}
    {isFee(view.figure) && <small>{unitOf(view.figure, chain)}</small>}
  </p>
);

const exactText = (amount: Amount, { figure }: View, chain: ChainName): string =>
  `${groupThousands(formatFigure(figure, amount, formatExact))} ${unitOf(figure, chain)}`;

function Change({ label, change }: { readonly label: string; readonly change: number | undefined }) {
  const direction = change === undefined || change === 0 ? 'same' : change > 0 ? 'up' : 'down';
  return (
    <div>
      <dt>{label}</dt>
      <dd class={direction}>{formatChange(change)}</dd>
    </div>
  );
}

function RangeTotal({ card, cards, view, onSelect }: CardProps & Pick<Props, 'cards'>) {
  const { chain, total, coins, rank } = card;
  if (!isSum(view.figure)) return null;
  if (!total)
    return (
      <p class="muted">
        {view.figure === 'fees_usd' ? 'No day in dollars in this range.' : 'No final figure in this range.'}
      </p>
    );
  const unit = unitOf(view.figure, chain);
  const isEven = cards.every((one) => one.total?.count === total.count);
  // A chain may lack days that others have.
  const meanOf = (one: Total) => toNumber(one.sum) / one.count;
  const means = cards
    .filter((one) => unitOf(view.figure, one.chain) === unit)
    .map((one) => (one.total ? meanOf(one.total) : 0));
  const highest = Math.max(...means);
  const { date, amount } = total.peak;
  return (
    <div class="totals">
      <p class="muted">{`Total of ${total.count} ${view.interval}${total.count === 1 ? '' : 's'}`}</p>
      {bigAmount(total.sum, view, chain)}
      {coins !== undefined && (
        <p class="muted">
          {formatRounded(coins)} {unitOf('fees', chain)}
          {rank && `, ${(100 * rank.share).toFixed(1)}\u00a0% of all${isEven ? '' : ' per day'}`}
        </p>
      )}
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={highest === 0 ? 0 : (100 * meanOf(total)) / highest} height="4" />
      </svg>
      <p class="peak" title={exactText(amount, view, chain)}>
        <span class="muted">Peak</span> {formatRounded(amount)}{' '}
        <button type="button" class="link" onClick={() => onSelect(chain, date)}>
          {view.interval === 'day' ? date : periodLabel(date, view.interval)}
        </button>
      </p>
    </div>
  );
}
