import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import type * as captions from '#web/model/captions.ts';
import type * as events from '#web/model/events.ts';
import type * as labels from '#web/model/labels.ts';
import type * as offered from '#web/model/offered.ts';
import { shownOf } from '#web/model/shown.ts';
import { parseView } from '#web/model/view.ts';

/* A page of development chains, which bear the names of real ones. Its banner names those whose figures are invented. */

const BANNER = 'Sample data, not of the real chains: BASE, ARBITRUM_NOVA.';

/** Loads a module in a page that has at most a banner. */
function load<Module>(textContent: string | undefined, name: string): Module {
  let found: unknown;
  const querySelector = (selector: string) =>
    selector === '.banner' && textContent !== undefined ? { textContent } : null;
  Object.assign(globalThis, { document: { querySelector } });
  jest.isolateModules(() => {
    found = jest.requireActual(name);
  });
  return found as Module;
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'document');
});

const viewOf = (chain: string) => parseView(`chains=${chain}&range=7d`, '2026-11-22').view;

test('only the chains of the banner have sample data', () => {
  const { isInvented } = load<typeof offered>(BANNER, '#web/model/offered.ts');
  expect((['BASE', 'ARBITRUM_NOVA', 'ARBITRUM', 'ETHEREUM'] as const).filter(isInvented)).toEqual([
    'BASE',
    'ARBITRUM_NOVA',
  ]);
  expect(load<typeof offered>(undefined, '#web/model/offered.ts').isInvented('BASE')).toBe(false);
});

test('titles and files say so if a chain has sample data, and no other ones do', () => {
  const { fileName, markedTitle } = load<typeof labels>(BANNER, '#web/model/labels.ts');
  expect(markedTitle(viewOf('BASE,ETHEREUM'))).toMatch(/^Sample data: Ethereum, Base: Fees per day/);
  expect(fileName(viewOf('BASE'), 'csv')).toMatch(/^sample-chain-insights_fees_BASE_/);
  expect(markedTitle(viewOf('ETHEREUM'))).toMatch(/^Ethereum: /);
  expect(fileName(viewOf('ETHEREUM'), 'csv')).toMatch(/^chain-insights_/);
});

test('evidence of sample data is said to be of sample data', () => {
  const status = { first_final_day: '2026-11-01', last_final_day: '2026-11-21' };
  const rows = [dayRow('2026-11-20'), dayRow('2026-11-21')];
  const noteOf = (chain: 'BASE' | 'ETHEREUM') =>
    load<typeof captions>(BANNER, '#web/model/captions.ts').chartNotes(
      shownOf(viewOf(chain), [{ chain, rows, days: rows, status }], '2026-11-22'),
    );
  expect(noteOf('BASE')).toMatch(/Of this sample data, proven from the hash of a finalized block: 2 of 2/);
  expect(noteOf('ETHEREUM')).not.toContain('sample');
});

test('events of real chains explain no sample data', () => {
  const eventsOf = (banner: string | undefined) =>
    load<typeof events>(banner, '#web/model/events.ts')
      .eventsBetween(['BASE'], '2024-01-01', '2024-12-31')
      .map(({ name }) => name);
  expect(eventsOf(undefined)).toContain('Ecotone');
  expect(eventsOf(BANNER)).toEqual([]);
});
