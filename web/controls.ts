import { chainNames } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import { byId, element } from './dom.ts';
import { chainLabel } from './labels.ts';
import { isMetric, metrics } from './metrics.ts';
import { createSwatch } from './swatch.ts';
import { FIRST_DAY, isPreset, type Preset, presetDays, presets, type View } from './view.ts';

/* The form's fields, and the two switches of the chart. */

const start = byId('start_date', HTMLInputElement);
const end = byId('end_date', HTMLInputElement);
const isLog = byId('log', HTMLInputElement);
const hasAverage = byId('average', HTMLInputElement);
const input = (type: string, name: string) => element('input', { type, name });
const chainInputs = new Map(chainNames.map((name) => [name, input('checkbox', 'chain')]));
const metricNames = Object.keys(metrics).filter(isMetric);
const metricInputs = new Map(metricNames.map((name) => [name, input('radio', 'metric')]));
const presetNames = Object.keys(presets).filter(isPreset);
const presetButtons = new Map(presetNames.map((name) => [name, element('button', { type: 'button' }, name)]));

/** Adds the controls for chains, metrics and presets to the page. */
export function fillControls(onPreset: (preset: Preset) => void): void {
  for (const [chain, input] of chainInputs)
    byId('chains', HTMLElement).append(element('label', {}, input, createSwatch(chain), chainLabel(chain)));
  for (const [metric, input] of metricInputs)
    byId('metrics', HTMLElement).append(element('label', {}, input, metrics[metric]));
  for (const [preset, button] of presetButtons) {
    button.addEventListener('click', () => onPreset(preset));
    byId('presets', HTMLElement).append(button);
  }
}

/** Sets all controls to a view. */
export function showView(view: View, today: UtcDay): void {
  setSelectableDays(today);
  for (const [chain, input] of chainInputs) input.checked = view.chains.includes(chain);
  for (const [metric, input] of metricInputs) input.checked = metric === view.metric;
  start.value = view.start_date;
  end.value = view.end_date;
  isLog.checked = view.isLog;
  hasAverage.checked = view.hasAverage;
  for (const [preset, button] of presetButtons) {
    const { start_date, end_date } = presetDays(preset, view.chains, today);
    button.ariaPressed = String(start_date === view.start_date && end_date === view.end_date);
  }
}

/** Returns the choices of all controls except the days. */
export const readChoices = (): Omit<View, 'start_date' | 'end_date'> => ({
  chains: chainNames.filter((name) => chainInputs.get(name)?.checked),
  metric: metricNames.find((name) => metricInputs.get(name)?.checked) ?? 'fees',
  isLog: isLog.checked,
  hasAverage: hasAverage.checked,
});

/** Returns the chosen days, or an error message. */
export function readDays(today: UtcDay): Pick<View, 'start_date' | 'end_date'> | string {
  setSelectableDays(today);
  const isReversed = end.value !== '' && end.value < start.value;
  end.setCustomValidity(isReversed ? 'It must not be before the first day.' : '');
  if (start.validationMessage) return `First day: ${start.validationMessage}`;
  if (end.validationMessage) return `Last day: ${end.validationMessage}`;
  return { start_date: start.value, end_date: end.value };
}

/** Sets the selectable days, which change while a page stays open overnight. */
function setSelectableDays(today: UtcDay): void {
  for (const field of [start, end]) Object.assign(field, { min: FIRST_DAY, max: today });
}
