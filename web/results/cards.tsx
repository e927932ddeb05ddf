import type { ChainName } from '../../core/chains/chains.ts';
import { Button, dated } from '../controls/elements.tsx';
import { type Amount, formatRounded } from '../model/amounts.ts';
import { exactText, rankNote, totalText } from '../model/captions.ts';
import { formatFigure, isFee, isSum, unitOf } from '../model/figures.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import { periodLabel } from '../model/periods.ts';
import { changeText, type Running, soFarText } from '../model/running.ts';
import type { Shown, ShownChain } from '../model/shown.ts';
import { meanOf } from '../model/sums.ts';

interface Props {
  readonly shown: Shown;
  readonly onSelect: (chain: ChainName, date: string) => void;
  readonly onChooseChain: (chain: ChainName) => void;
}

type CardProps = Pick<Props, 'shown' | 'onSelect'> & { readonly card: ShownChain };

/** Shows the total and the peak of each chain; nothing for figures that do not add up. */
export function Cards({ shown, onSelect, onChooseChain }: Props) {
  if (!isSum(shown.view.figure)) return null;
  const note = rankNote(shown);
  return (
    <section aria-label="Chains">
      {note && <p class="note">{note}</p>}
      <div class="cards">
        {shown.chains.map((card) => (
          <article class="card" style={colorOf(card.chain)} key={card.chain}>
            <h2 translate={false}>
              {card.rank && `${card.rank.place}. `}
              {shown.chains.length === 1 ? (
                chainLabel(card.chain)
              ) : (
                <Button
                  class="link"
                  aria-label={`Only ${chainLabel(card.chain)}`}
                  title="Show this chain alone"
                  onClick={() => onChooseChain(card.chain)}
                >
                  {chainLabel(card.chain)}
                </Button>
              )}
            </h2>
            <Total {...{ card, shown, onSelect }} />
            {card.running && <SoFar {...{ card, shown }} running={card.running} />}
          </article>
        ))}
      </div>
    </section>
  );
}

const BigAmount = ({ amount, shown, card }: Omit<CardProps, 'onSelect'> & { readonly amount: Amount }) => (
  <p class="amount" translate={false} title={exactText(shown, card.chain, amount)}>
    <strong>{formatFigure(shown.view.figure, amount)}</strong>{' '}
    {isFee(shown.view.figure) && <small>{unitOf(shown.view.figure, card.chain)}</small>}
  </p>
);

/** Shows the running day apart from the total. */
const SoFar = ({ running, ...of }: Omit<CardProps, 'onSelect'> & { readonly running: Running }) => (
  <div class="so-far" translate={false}>
    <p class="muted">Today {soFarText([running])}</p>
    <BigAmount amount={running.amount} {...of} />
    {running.change && <p class="muted">{changeText(running.change)}</p>}
  </div>
);

function Total({ card, shown, onSelect }: CardProps) {
  const { chain, total, coins, rank } = card;
  const { interval } = shown.view;
  if (!total) return <p class="muted">No figure in this range.</p>;
  const { date, amount } = total.peak;
  const share = rank && `${(100 * rank.share).toFixed(1)}% of all`;
  return (
    <>
      {rank?.basis === 'mean' && (
        <>
          <p class="muted">{`Mean per ${interval}, ${share}`}</p>
          <BigAmount amount={meanOf(total)} {...{ shown, card }} />
        </>
      )}
      <p class="muted">{dated(totalText(shown, card))}</p>
      <BigAmount amount={total.sum} {...{ shown, card }} />
      {coins !== undefined && (
        <p class="muted" translate={false}>
          {formatRounded(coins)} {unitOf('fees', chain)}
          {rank?.basis === 'sum' && `, ${share}`}
        </p>
      )}
      <p class="peak" title={exactText(shown, chain, amount)}>
        <span class="muted">Peak</span> <span translate={false}>{formatRounded(amount)}</span>{' '}
        <Button class="link" onClick={() => onSelect(chain, date)}>
          {interval === 'day' ? date : periodLabel(date, interval)}
        </Button>
      </p>
    </>
  );
}
