import { chainNames } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import { byId, element } from './dom.ts';
import { isMetric, metrics } from './metrics.ts';
import { swatchOf } from './swatch.ts';
import { daysOf, FIRST_DAY, isPreset, type Preset, presets, type View } from './view.ts';
import { nameOf } from './words.ts';

/* What a person chooses by: the fields of the form, and the two switches of the chart. */

const fields = {
  start: byId('start_date', HTMLInputElement),
  end: byId('end_date', HTMLInputElement),
  isLog: byId('log', HTMLInputElement),
  hasAverage: byId('average', HTMLInputElement),
};

const chains = new Map(
  chainNames.map((name) => [name, element('input', { type: 'checkbox', name: 'chain' })]),
);
const metricNames = Object.keys(metrics).filter(isMetric);
const figures = new Map(
  metricNames.map((name) => [name, element('input', { type: 'radio', name: 'metric' })]),
);

const presetButtons = new Map(
  Object.keys(presets)
    .filter(isPreset)
    .map((preset) => [preset, element('button', { type: 'button' }, preset)]),
);

/**
 * Puts what follows from the chains and metrics into the page.
 * @param onPreset is told which range of days was asked for
 */
export function fillControls(onPreset: (preset: Preset) => void): void {
  for (const [chain, input] of chains)
    byId('chains', HTMLElement).append(element('label', {}, input, swatchOf(chain), nameOf(chain)));
  for (const [metric, input] of figures)
    byId('metrics', HTMLElement).append(element('label', {}, input, metrics[metric]));
  for (const [preset, button] of presetButtons) {
    button.addEventListener('click', () => onPreset(preset));
    byId('presets', HTMLElement).append(button);
  }
}

/** @param today the UTC day that is not over yet */
export function showView(view: View, today: UtcDay): void {
  limitDays(today);
  for (const [chain, input] of chains) input.checked = view.chains.includes(chain);
  for (const [metric, input] of figures) input.checked = metric === view.metric;
  fields.start.value = view.start_date;
  fields.end.value = view.end_date;
  fields.isLog.checked = view.isLog;
  fields.hasAverage.checked = view.hasAverage;
  for (const [preset, button] of presetButtons) {
    const { start_date, end_date } = daysOf(preset, view.chains, today);
    button.ariaPressed = String(start_date === view.start_date && end_date === view.end_date);
  }
}

/** All that is chosen but the days. */
export const readChoices = (): Omit<View, 'start_date' | 'end_date'> => ({
  chains: chainNames.filter((name) => chains.get(name)?.checked),
  metric: metricNames.find((name) => figures.get(name)?.checked) ?? 'fees',
  isLog: fields.isLog.checked,
  hasAverage: fields.hasAverage.checked,
});

/**
 * The days that are chosen, or what is wrong with them.
 * @param today the UTC day that is not over yet, and the last that can be chosen
 */
export function readDays(today: UtcDay): Pick<View, 'start_date' | 'end_date'> | string {
  const { start, end } = fields;
  limitDays(today);
  const isReversed = end.value !== '' && end.value < start.value;
  end.setCustomValidity(isReversed ? 'It must not be before the first.' : '');
  if (start.validationMessage) return `The first day: ${start.validationMessage}`;
  if (end.validationMessage) return `The last day: ${end.validationMessage}`;
  return { start_date: start.value, end_date: end.value };
}

/** A page may be open for longer than a day. */
function limitDays(today: UtcDay): void {
  for (const field of [fields.start, fields.end]) Object.assign(field, { min: FIRST_DAY, max: today });
}
