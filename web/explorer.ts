import type { ChainName } from '../lambda/chains/chains.ts';
import { dayOf } from '../lambda/chains/utc-day.ts';
import { apiPath, type ChainSeries, fetchSeries } from './api-client.ts';
import { fillControls, readChoices, readDays, showView } from './controls.ts';
import { showCurl } from './curl-panel.ts';
import { byId } from './dom.ts';
import { type FailedChain, scrollToErrors, showErrors, showFailures } from './error-panel.ts';
import { applyOptions, hasResults, scrollToResults, showLoading, showResults } from './results.ts';
import { keyError, storedKey, storeKey } from './storage.ts';
import { formatView, parseView, presetDays, type View } from './view.ts';

/* The explorer: reads the form, requests the series and shows the results. */

const form = byId('query', HTMLFormElement);
const keyField = byId('key', HTMLInputElement);
const keep = byId('keep', HTMLInputElement);

const root = new URL('.', location.href).href;
const today = () => dayOf(Date.now() / 1000);

let view = parseView(location.search, today());
/** The key of the last draw. Nothing is requested without one. */
let key: string | undefined;
let loading = new AbortController();
/** The series that were loaded since the last draw, by path. A changed view requests only those that are new. */
const loadedSeries = new Map<string, ChainSeries>();

async function loadSeries(chain: ChainName, query: View, signal: AbortSignal): Promise<ChainSeries> {
  const path = apiPath(chain, query);
  const series = loadedSeries.get(path) ?? (await fetchSeries(root, chain, query, key ?? '', signal));
  loadedSeries.set(path, series);
  return series;
}

function abortLoading(): void {
  loading.abort();
  loading = new AbortController();
  showLoading(false);
}

/** Loads a view and shows it, unless `abortLoading` is called meanwhile. */
async function draw(query: View): Promise<void> {
  const { signal } = loading;
  const { chains } = query;
  if (chains.length === 0) return showErrors('Select at least one chain.');
  showLoading(true);
  const results = await Promise.all(
    chains.map((chain) =>
      loadSeries(chain, query, signal).catch((reason: unknown): FailedChain => ({ chain, reason })),
    ),
  );
  if (signal.aborted) return;
  showLoading(false);
  const failed = results.filter((result) => 'reason' in result);
  const series = results.filter((result) => 'rows' in result);
  const hasSeries = series.length > 0;
  showFailures(failed, hasSeries, !hasSeries && hasResults());
  const { isLog, hasAverage } = view;
  const loadedChains = series.map(({ chain }) => chain);
  if (hasSeries) showResults({ view: { ...query, isLog, hasAverage, chains: loadedChains }, series });
}

function setView(chosen: View): void {
  view = chosen;
  history.replaceState(null, '', `?${formatView(view)}`);
}

/** Applies the form to the URL and the curl commands, and draws the view if there is a key. */
async function applyForm(): Promise<void> {
  abortLoading();
  const days = readDays(today());
  if (typeof days === 'string') return showErrors(days);
  setView({ ...readChoices(), ...days });
  showView(view, today());
  showCurl(root, view);
  showErrors();
  if (key) await draw(view);
}

/** Applies the scale and the average, which need no request. */
function applyChartOptions(): void {
  const { isLog, hasAverage } = readChoices();
  setView({ ...view, isLog, hasAverage });
  applyOptions({ isLog, hasAverage });
}

async function submit(): Promise<void> {
  const entered = keyField.value.trim();
  const error = keyError(entered);
  key = error ? undefined : entered;
  storeKey(keep.checked ? key : undefined);
  loadedSeries.clear();
  const drawn = applyForm();
  if (error) showErrors(error);
  scrollToResults();
  await drawn;
  scrollToErrors();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit();
});
form.addEventListener('change', ({ target }) => {
  if (target === keep) storeKey(keep.checked ? key : undefined);
  else if (target !== keyField) void applyForm();
});
for (const name of ['average', 'log'])
  byId(name, HTMLInputElement).addEventListener('change', applyChartOptions);

fillControls((preset) => {
  const choices = readChoices();
  showView({ ...choices, ...presetDays(preset, choices.chains, today()) }, today());
  void applyForm();
});
showView(view, today());
showCurl(root, view);
key = storedKey();
if (key) {
  keyField.value = key;
  keep.checked = true;
  void draw(view);
}
