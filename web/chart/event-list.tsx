import { countOf } from '../model/coverage.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel } from '../model/labels.ts';
import { lastDayIn } from '../model/periods.ts';
import type { Shown } from '../model/shown.ts';

export function EventList({ shown: { dates, view } }: { readonly shown: Shown }) {
  const [first = '', last = first] = [dates[0], dates.at(-1)];
  const events = eventsBetween(view.chains, first, lastDayIn(last, view.interval));
  if (events.length === 0) return null;
  return (
    <details class="event-list">
      <summary>{countOf(events.length, 'event')} in this range</summary>
      <ul>
        {events.map(({ date, name, chains, effect, source }) => (
          <li key={name + date}>
            {date} <b>{name}</b> ({chains.map(chainLabel).join(', ')}): {effect}.{' '}
            <a href={source} rel="noreferrer" target="_blank">
              Source<span class="unseen"> of {name}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
