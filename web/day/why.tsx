import { chainOf } from '../../core/chains/chains.ts';
import { dated } from '../controls/elements.tsx';
import { formatRounded } from '../model/amounts.ts';
import { chainLabel, formatChange } from '../model/labels.ts';
import type { ChosenDay } from '../model/view.ts';
import { type Factors, type Reasons, rankText } from './why-day.ts';

export function Why({ day, reasons }: { readonly day: ChosenDay; readonly reasons: Reasons }) {
  const { factors, others, events } = reasons;
  if (!factors) return null;
  const { coin } = chainOf(day.chain);
  const otherTexts = others.map((other) => `${chainLabel(other.chain)} ${formatChange(other.change)}`);
  return (
    <div class="why">
      <h3>Why this day?</h3>
      <p>{rankText(factors)}</p>
      <table translate={false}>
        <thead>
          <tr>
            <th scope="col">Fees are</th>
            <th scope="col">This day</th>
            <th scope="col">Against the mean before</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(factors, coin).map(([label, { amount, change }, unit]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {formatRounded(amount)} {unit}
              </td>
              <td>{formatChange(change)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {otherTexts.length > 0 && (
        <p>
          Fees of other chains that day, against their own days before:{' '}
          <span translate={false}>{otherTexts.join(', ')}</span>.
        </p>
      )}
      {events.map((event) => (
        <p key={event.name}>
          {event.date === day.date ? 'That day' : dated(event.date)}: <a href={event.source}>{event.name}</a>,{' '}
          {event.effect}.
        </p>
      ))}
    </div>
  );
}

const rowsOf = ({ transactions, averageFee, fees }: Factors, coin: string) =>
  [
    ['User transactions', transactions, ''],
    ['× average fee', averageFee, coin],
    ['= fees', fees, coin],
  ] as const;
