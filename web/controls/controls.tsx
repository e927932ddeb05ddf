import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { countOf } from '../model/coverage.ts';
import { figures } from '../model/figures.ts';
import { chainLabel, colorOf } from '../model/labels.ts';
import { type DateRange, intervalLabels } from '../model/periods.ts';
import { FIRST_DAY, presetNames, presetRange, yearRanges } from '../model/presets.ts';
import { modes, unavailableOptions, type View } from '../model/view.ts';
import { Button, Choice } from './elements.tsx';

interface Props {
  readonly view: View;
  readonly served: readonly ChainName[];
  readonly today: UtcDay;
  readonly onChange: (change: Partial<View>) => void;
}

/** The row of controls that stays in view. On a phone, where it would cover the chart, it opens below its summary. */
export function Controls(props: Props) {
  const { figure, interval, mode, chains } = props.view;
  const texts = [figures[figure], intervalLabels[interval], modes[mode], countOf(chains.length, 'chain')];
  return (
    <details class="fold" translate={false} open={matchMedia('(width >= 600px)').matches}>
      <summary>{texts.join(', ')}</summary>
      <ControlRow {...props} />
    </details>
  );
}

function ControlRow({ view, served, today, onChange }: Props) {
  const unavailable = unavailableOptions(view);
  const choice = <Name extends 'figure' | 'interval' | 'mode'>(
    label: string,
    name: Name,
    options: Readonly<Record<View[Name], string>>,
  ) => (
    <Choice
      {...{ label, options, unavailable }}
      value={view[name]}
      onChoose={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <form class="controls" aria-label="View" onSubmit={(event) => event.preventDefault()}>
      {choice('Figure', 'figure', figures)}
      {choice('Period', 'interval', intervalLabels)}
      <RangeChoice {...{ view, today, onChange }} />
      {choice('Mode', 'mode', modes)}
      <Chips {...{ view, served, onChange }} />
      <Dates {...{ view, today, onChange }} />
    </form>
  );
}

function RangeChoice({ view, today, onChange }: Omit<Props, 'served'>) {
  const { chains, start_date, end_date } = view;
  const ranges = new Map<string, DateRange & Pick<View, 'range'>>([
    ...presetNames.map((range) => [range, { range, ...presetRange(range, chains, today) }] as const),
    ...yearRanges(chains, today),
  ]);
  const shown = [...ranges].find(([, one]) => one.start_date === start_date && one.end_date === end_date);
  const chosen = view.range ?? shown?.[0] ?? 'custom';
  const names = [...ranges.keys(), ...(chosen === 'custom' ? [chosen] : [])];
  const options = Object.fromEntries(names.map((name) => [name, name]));
  const choose = (name: string) => onChange(ranges.get(name) ?? {});
  return <Choice label="Range" value={chosen} options={options} onChoose={choose} />;
}

/** With more chains, those that are not shown are in a list. */
const MAX_CHIPS = 8;

/** Shows a button for each chain, which is also the legend of the charts. */
function Chips({ view: { chains }, served, onChange }: Omit<Props, 'today'>) {
  const toggle = (chain: ChainName) =>
    onChange({ chains: served.filter((name) => chains.includes(name) !== (name === chain)) });
  const hasList = served.length > MAX_CHIPS;
  return (
    <fieldset>
      <legend class="unseen">Chains</legend>
      {hasList && <ChainList {...{ chains, served }} onToggle={toggle} />}
      {(hasList ? served.filter((chain) => chains.includes(chain)) : served).map((chain) => (
        <Button
          key={chain}
          class="quiet chip"
          style={colorOf(chain)}
          aria-pressed={chains.includes(chain)}
          onClick={() => toggle(chain)}
        >
          <i class="swatch" />
          {chainLabel(chain)}
        </Button>
      ))}
    </fieldset>
  );
}

interface ChainListProps extends Pick<Props, 'served'> {
  /** Those that are shown. */
  readonly chains: readonly ChainName[];
  readonly onToggle: (chain: ChainName) => void;
}

/** Lists all chains in a menu, with a search by a part of their names. */
function ChainList({ chains, served, onToggle }: ChainListProps) {
  const [text, setText] = useState('');
  const found = served.filter((chain) => chainLabel(chain).toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <details class="menu chain-list">
      <summary class="quiet">{countOf(served.length, 'chain')}</summary>
      <div>
        <input
          type="search"
          aria-label="Find a chain"
          placeholder="Find a chain"
          value={text}
          onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => setText(currentTarget.value)}
        />
        {found.map((chain) => (
          <label key={chain}>
            <input type="checkbox" checked={chains.includes(chain)} onChange={() => onToggle(chain)} />
            {chainLabel(chain)}
          </label>
        ))}
        {found.length === 0 && <p>No chain has this name.</p>}
      </div>
    </details>
  );
}

function Dates({ view: { start_date, end_date }, today, onChange }: Omit<Props, 'served'>) {
  const isReversed = start_date > end_date;
  const field = (name: 'start_date' | 'end_date', label: string, value: UtcDay) => (
    <input
      type="date"
      aria-label={label}
      aria-invalid={isReversed}
      required
      min={FIRST_DAY}
      max={addDays(today, -1)}
      value={value}
      onChange={({ currentTarget }: TargetedEvent<HTMLInputElement>) =>
        currentTarget.validity.valid && onChange({ [name]: currentTarget.value })
      }
    />
  );
  return (
    <span class="dates">
      {field('start_date', 'First day (UTC)', start_date)} – {field('end_date', 'Last day (UTC)', end_date)}
    </span>
  );
}
