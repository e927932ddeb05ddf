import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { chainNames, chainOf } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { Button, Choice, dated } from '../controls/elements.tsx';
import { showElement, showNext } from '../controls/focus.ts';
import type { LinkedView } from '../controls/use-view.ts';
import type { StatusOfChain } from '../data/api-client.ts';
import { isFull } from '../data/rows.ts';
import type { Find } from '../data/use-days.ts';
import { missingDayText } from '../model/captions.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import { periodLabel } from '../model/periods.ts';
import { dayQuery } from '../model/queries.ts';
import { type ChosenDay, unavailableOptions } from '../model/view.ts';
import { DayFacts } from './day-facts.tsx';
import { reasonsOf } from './why-day.ts';

interface Props {
  readonly day: ChosenDay;
  readonly find: Find;
  readonly linked: LinkedView;
  readonly today: UtcDay;
  /** The status of the day's chain. */
  readonly status: StatusOfChain | undefined;
}

export function DayPanel(props: Props) {
  const { day, find, linked, status } = props;
  const { chain, date } = day;
  const found = find(dayQuery(day));
  const row =
    found && 'rows' in found ? found.rows.filter(isFull).find((one) => one.date === date) : undefined;
  const reasons = reasonsOf(chain, date, linked.view.chains, (name) => find(dayQuery({ date, chain: name })));
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    // At once, because the next key is meant for what opened the panel.
    return () => opener instanceof HTMLElement && opener.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    // Someone who pages from day to day stays at the button.
    if (!panel.current?.contains(document.activeElement)) showElement(panel.current);
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && linked.closeDay();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [chain, date]);
  // Runs once the panel is gone, so that the page has its new height.
  useEffect(
    () => () => {
      const { activeElement } = document;
      // The body is active if what opened the panel is gone too. A frame later, the focus may be elsewhere, and would be taken from there.
      const isLost = !(activeElement instanceof HTMLElement) || activeElement === document.body;
      showElement(isLost ? document.getElementById('chart-title') : activeElement);
    },
    [],
  );
  return (
    <section class="card day" style={colorOf(chain)} aria-labelledby="day-title" ref={panel} tabIndex={-1}>
      {/* An archive has no hours. */}
      <DayHeader {...props} hasHours={row !== undefined && row.evidence !== 'archived'} />
      <div aria-live="polite">
        {!found && <p class="muted">Loading …</p>}
        {row && <DayFacts {...{ row, day, reasons }} />}
        {found && 'rows' in found && !row && <p>{dated(missingDayText(date, status))}</p>}
      </div>
    </section>
  );
}

function DayHeader(props: Props & { readonly hasHours: boolean }) {
  const { view, change, closeDay } = props.linked;
  const { chain, date } = props.day;
  const names = [...new Set([...view.chains, chain])];
  const move = (days: number) => change({ day: { chain, date: addDays(date, days) } });
  const showHours = () => {
    const chains = chainNames.filter((name) => names.includes(name));
    const range = { start_date: date, end_date: date };
    const figure = 'hour' in unavailableOptions({ ...view, ...range }) ? 'fees' : view.figure;
    change({ chains, figure, interval: 'hour', ...range });
    showNext('chart-title');
  };
  return (
    <header class="head">
      <h2 id="day-title" translate={false}>
        {chainLabel(chain)}, {periodLabel(date, 'day')}
      </h2>
      <Choice
        label="Chain of this day"
        value={chain}
        options={Object.fromEntries(names.map((name) => [name, chainLabel(name)]))}
        onChoose={(chosen) => change({ day: { chain: chosen, date } })}
      />
      <div class="tools">
        {props.hasHours && <Button onClick={showHours}>Show hours</Button>}
        {date > chainOf(chain).firstDay && <Button onClick={() => move(-1)}>‹ Day before</Button>}
        {addDays(date, 1) < props.today && <Button onClick={() => move(1)}>Day after ›</Button>}
        <Button onClick={closeDay}>Close</Button>
      </div>
    </header>
  );
}
