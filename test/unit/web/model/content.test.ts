import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { ApiError, type ChainDays } from '#web/data/api-client.ts';
import { formatExact, parseAmount } from '#web/model/amounts.ts';
import { type Content, contentOf, type Find, imageNotes } from '#web/model/content.ts';
import { hoursOf } from '#web/model/periods.ts';
import { parseView } from '#web/model/view.ts';

const TODAY = '2026-11-22';
const { view } = parseView('?chains=ETHEREUM,BASE&start_date=2026-11-12&end_date=2026-11-21', TODAY);
const dates = Array.from({ length: 40 }, (_, index) => addDays(TODAY, index - 40));

/** Answers with 40 days; Base misses 2026-11-15, and one of its days is only checked. */
const answers: Readonly<Record<string, ChainDays>> = {
  ETHEREUM: { rows: dates.map((date) => dayRow(date, { fees: '2' })), dataThrough: '2026-11-21' },
  BASE: {
    rows: dates
      .filter((date) => date !== '2026-11-15')
      .map((date) => dayRow(date, { evidence: date === '2026-11-14' ? 'checked' : 'proven' })),
    dataThrough: '2026-11-21',
  },
};
const find: Find = ({ chain }) => answers[chain];

function loadedOf(given: Find, shown = view, statuses: Parameters<typeof contentOf>[3] = []) {
  const loading = contentOf(given, view, shown, statuses, TODAY);
  if (loading.state === 'loading') throw new Error('Some days are still loading.');
  return loading;
}
const totalsOf = ({ cards }: Content) => cards.map(({ total }) => total && formatExact(total.sum));

test('a day that lacks the figure is a gap, in no sum, and not a missing day', () => {
  const rows = dates.map((date) => dayRow(date, date === '2026-11-15' ? {} : { gas_used: '20000' }));
  const { content } = loadedOf(() => ({ rows, dataThrough: '2026-11-21' }), { ...view, figure: 'gas_used' });
  const [{ unit, lines } = { unit: '', lines: [] }] = content.plot.panels;
  expect([unit, lines[0]?.points[3], lines[0]?.points[4]]).toEqual(['gas', null, 20_000]);
  expect(content.cards[0]?.total).toMatchObject({ count: 9, sum: parseAmount('180000') });
  expect(content.rows.map(({ date }) => date)).not.toContain('2026-11-15');
  expect(content.coverages[0]).toMatchObject({
    missing: [],
    withoutFigure: [{ start_date: '2026-11-15', end_date: '2026-11-15' }],
  });
});

test('shows hours, and final days without hours as gaps', () => {
  const shown = { ...view, interval: 'hour', start_date: '2026-11-20' } as const;
  const hours = hoursOf('2026-11-21').map((date) => dayRow(date, { fees: '2' }));
  const given: Find = ({ chain, interval }) =>
    interval === 'hour' ? { rows: hours, dataThrough: '2026-11-21' } : answers[chain];
  const loading = contentOf(given, shown, shown, [], TODAY);
  if (loading.state === 'loading') throw new Error('Some hours are still loading.');
  const [{ lines } = { lines: [] }] = loading.content.plot.panels;
  expect(lines[0]?.points).toEqual([...Array(24).fill(null), ...Array(24).fill(2)]);
  expect(totalsOf(loading.content)).toEqual(['48', '48']);
  expect(loading.content.coverages[0]).toMatchObject({
    missing: [],
    withoutFigure: [{ start_date: '2026-11-20', end_date: '2026-11-20' }],
  });
});

test('is loading until a chain has an answer, and names those that have none yet', () => {
  expect(contentOf(() => undefined, view, view, [], TODAY)).toEqual({ state: 'loading' });
  const some = contentOf(
    ({ chain }) => (chain === 'BASE' ? undefined : answers[chain]),
    view,
    view,
    [],
    TODAY,
  );
  expect(some).toMatchObject({
    state: 'loaded',
    pending: ['BASE'],
    content: { chains: view.chains.filter((chain) => chain !== 'BASE') },
  });
});

test('cards, table and charts show the same days of the range', () => {
  const { content, errors } = loadedOf(find);
  expect(errors).toEqual([]);
  expect(totalsOf(content)).toEqual(['20', '13.5']);
  expect(content.rows).toHaveLength(10);
  expect(content.plot.dates).toHaveLength(10);
  expect(content.coverages[1]?.missing).toEqual([{ start_date: '2026-11-15', end_date: '2026-11-15' }]);
});

test('shows a narrower range while two fingers move, without loading', () => {
  const { content } = loadedOf(find, { ...view, start_date: '2026-11-20' });
  expect(totalsOf(content)).toEqual(['4', '3']);
  expect(content.plot.dates).toEqual(['2026-11-20', '2026-11-21']);
});

test('expects figures of each chain from its own first final day on, in charts as in the coverage', () => {
  const status = { lastFinalDay: '2026-11-21', waitingDays: 0, secondsBehind: undefined } as const;
  const { content } = loadedOf(({ chain }) => answers[chain], view, [
    { ...status, chain: 'ETHEREUM', firstFinalDay: '2026-11-01' },
    { ...status, chain: 'BASE', firstFinalDay: '2026-11-16' },
  ]);
  const [{ lines = [] } = {}] = content.plot.panels;
  expect(lines.map(({ firstDay }) => firstDay)).toEqual(['2026-11-01', '2026-11-16']);
  expect(content.coverages[1]?.missing).toEqual([]);
});

test('compares the last day with days before the range', () => {
  expect(loadedOf(find).content.cards[0]?.latest?.changes).toEqual({ day: 0, week: 0, month: 0 });
});

test('shows the other chains when one fails', () => {
  const failure = new ApiError('The service failed.');
  const { content, errors } = loadedOf(({ chain }) => (chain === 'BASE' ? failure : answers[chain]));
  expect(errors).toEqual([['BASE', failure]]);
  expect(content.chains).toEqual(['ETHEREUM']);
  expect(totalsOf(content)).toEqual(['20']);
});

test('an image states its source, its time, the evidence and the missing days', () => {
  const notes = imageNotes(
    loadedOf(find).content,
    view,
    'https://api.example.com',
    new Date('2026-11-22T08:00:59Z'),
  );
  expect(notes.slice(0, 2)).toEqual([
    'Source: Chain Insights, https://api.example.com, 2026-11-22 08:00 UTC. ' +
      '18 of 19 figures are proven from the hash of a finalized block; 1 passed consistency checks only.',
    'Missing days: Base: 2026-11-15.',
  ]);
});

test('an image without missing days says so', () => {
  const { content } = loadedOf(find, { ...view, start_date: '2026-11-20' });
  expect(imageNotes(content, view, 'https://api.example.com', new Date(0)).join(' ')).toMatch(
    /All 4 figures are proven from the hash of a finalized block\. No day is missing\./,
  );
});
