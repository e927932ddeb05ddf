import { useEffect, useRef } from 'preact/hooks';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { Button } from '../controls/button.tsx';
import { Choice } from '../controls/choice.tsx';
import { showElement, showNext } from '../controls/focus.ts';
import type { FullRow } from '../data/rows.ts';
import { chainLabel } from '../model/labels.ts';
import { periodLabel } from '../model/periods.ts';
import type { ChosenDay } from '../model/view.ts';
import { DayFacts } from './day-facts.tsx';
import type { Reasons } from './why-day.ts';

interface Props {
  readonly day: ChosenDay;
  /** The day's figures, `loading`, or undefined if the day is not final. */
  readonly row: FullRow | 'loading' | undefined;
  readonly reasons: Reasons;
  readonly chains: readonly ChainName[];
  readonly today: UtcDay;
  readonly onChoose: (day: ChosenDay | undefined) => void;
  readonly onShowHours: (day: ChosenDay) => void;
}

/** Shows everything that is known about one day of one chain. */
export function DayPanel(props: Props) {
  const { day, row, reasons } = props;
  const { chain, date } = day;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    // Runs when the panel is closed, whose buttons then are gone. The body is active if what opened the panel has moved since.
    return () =>
      opener instanceof HTMLElement && opener.isConnected && opener !== document.body
        ? opener.focus()
        : showNext('chart-title');
  }, []);
  useEffect(() => {
    // Someone who pages from day to day stays at the button.
    if (!panel.current?.contains(document.activeElement)) showElement(panel.current);
  }, [chain, date]);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && props.onChoose(undefined);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [chain, date]);
  return (
    <section class={`card day chain-${chain}`} aria-labelledby="day-title" ref={panel} tabIndex={-1}>
      <DayHeader {...props} />
      <div aria-live="polite">
        {row === 'loading' ? <p class="muted">Loading …</p> : <DayFacts {...{ day, row, reasons }} />}
      </div>
    </section>
  );
}

function DayHeader({ day: { chain, date }, chains, today, onChoose, onShowHours }: Props) {
  const names = [...new Set([...chains, chain])];
  const move = (days: number) => onChoose({ chain, date: addDays(date, days) });
  return (
    <header class="head">
      <h2 id="day-title">
        {chainLabel(chain)}, {periodLabel(date, 'day')}
      </h2>
      <Choice
        label="Chain of this day"
        value={chain}
        options={Object.fromEntries(names.map((name) => [name, chainLabel(name)]))}
        onChoose={(chosen) => onChoose({ chain: chosen, date })}
      />
      <div class="tools">
        <Button onClick={() => onShowHours({ chain, date })}>Show hours</Button>
        {date > chainOf(chain).firstDay && <Button onClick={() => move(-1)}>‹ Day before</Button>}
        {addDays(date, 1) < today && <Button onClick={() => move(1)}>Day after ›</Button>}
        <Button onClick={() => onChoose(undefined)}>Close</Button>
      </div>
    </header>
  );
}
