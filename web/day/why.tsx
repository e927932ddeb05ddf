import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { formatRounded } from '../model/amounts.ts';
import { chainLabel, formatChange } from '../model/labels.ts';
import type { ChosenDay } from '../model/view.ts';
import type { Against, Reasons } from './why-day.ts';

interface Props {
  readonly day: ChosenDay;
  readonly reasons: Reasons;
}

/** Shows what may explain the figures of a day: the 30 days before it, the other chains, and upgrades nearby. */
export function Why({ day, reasons }: Props) {
  const { chain, date } = day;
  const { coin } = chainOf(chain);
  const { fees, transactions, averageFee, others, events } = reasons;
  if (!fees) return null;
  return (
    <div class="why">
      <h3>Why this day?</h3>
      <p>{rankText(fees)}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Fees are</th>
            <th scope="col">This day</th>
            <th scope="col">Against the median of 30 days</th>
          </tr>
        </thead>
        <tbody>
          <Factor label="Transactions of users" against={transactions} unit="" />
          <Factor label="× average fee" against={averageFee} unit={coin} />
          <Factor label="= fees" against={fees} unit={coin} />
        </tbody>
      </table>
      {others.length > 0 && <p>Fees of other chains that day: {others.map(otherText).join(', ')}.</p>}
      {events.map((event) => (
        <p key={event.name}>
          {event.date === date ? 'That day' : event.date}: <a href={event.source}>{event.name}</a>,{' '}
          {event.effect}.
        </p>
      ))}
    </div>
  );
}

const rankText = ({ place, days }: Against): string => {
  if (days === 0) return 'None of the 30 days before has a final figure to compare with.';
  const of = days === 30 ? 'the 30 days before' : `those ${days} of the 30 days before that have a figure`;
  if (place === 1) return `Fees are higher than on ${of}.`;
  if (place === days + 1) return `Fees are lower than on ${of}.`;
  return `Fees were higher on ${place - 1} of ${of}.`;
};

const otherText = ({ chain, change }: { readonly chain: ChainName; readonly change: number | undefined }) =>
  `${chainLabel(chain)} ${formatChange(change)}`;

interface FactorProps {
  readonly label: string;
  readonly against: Against | undefined;
  readonly unit: string;
}

const Factor = ({ label, against, unit }: FactorProps) => (
  <tr>
    <th scope="row">{label}</th>
    <td>{against ? `${formatRounded(against.amount)} ${unit}` : '–'}</td>
    <td>{formatChange(against?.change)}</td>
  </tr>
);
