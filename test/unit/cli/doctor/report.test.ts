import { stripVTControlCharacters } from 'node:util';
import type { EndpointReport, FailedCheck } from '#cli/doctor/checks.ts';
import { forksAhead, reportChain, showReports } from '#cli/doctor/report.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { targetOf } from '#test/support/doctor-target.ts';

const target = targetOf('BASE');
const now = startOfDay('2026-11-11');

const passed = (given: Partial<EndpointReport> = {}): EndpointReport => ({
  endpoint: 'a.example',
  has_receipts: true,
  is_proven: true,
  history: { block: 1, since: '2023-06-15' },
  seconds_per_block: 2,
  limits: { calls_at_once: 8, calls_per_second: 11 },
  failed_checks: [],
  ...given,
});
const failed = (failure: Partial<FailedCheck> = {}): EndpointReport => ({
  endpoint: 'b.example',
  failed_checks: [{ check: 'chain ID', kind: 'unreachable', reason: 'b.example: unreachable', ...failure }],
});
const prunedSince = (since: string) =>
  passed({ history: { block: 9, since, ends_because: 'a.example: pruned' } });
const anchor = { number: 9, timestamp: now - 60, hosts: ['a.example', 'b.example'] };
const report = (...endpoints: EndpointReport[]) => reportChain(target, endpoints, anchor, now);

test('a chain works when an endpoint has its history since the start date and keeps up with new blocks', () => {
  // Ten days of 43,200 blocks, two calls each, at 10 calls/s: the 11 measured less 1 for new blocks.
  expect(report(passed())).toEqual({
    chain: 'BASE',
    start_date: '2026-11-01',
    works: true,
    since: '2023-06-15',
    problems: [],
    forks: [expect.objectContaining({ name: 'Everest' })],
    scheduled: [],
    endpoints: [passed()],
    anchor,
    summary:
      'can be ingested from 2026-11-01 (1 calls/s needed, 11 measured; at least 1d to catch up). Calls of new blocks cost $0 to $24 a month (docs/operate/cost.md#nodes).',
    pace: {
      calls_per_second_needed: 1,
      calls_per_second_measured: 11,
      // 2.592 million calls of 20 units, at $0.45 a million.
      max_dollars_a_month: expect.closeTo(23.328),
      catches_up_in: 86_400,
    },
  });
});

test('advises to set a later start date when the history is too short', () => {
  expect(report(prunedSince('2026-11-05'))).toMatchObject({
    works: false,
    since: '2026-11-05',
    summary:
      'can be ingested from 2026-11-05, not from 2026-11-01 (a.example: pruned). Set the startDate to 2026-11-05 or later, or add an endpoint with more history.',
  });
  expect(report(prunedSince('2026-11-01')).works).toBe(true);
});

test('uses the longest history of all endpoints', () => {
  expect(report(prunedSince('2026-11-05'), failed(), passed())).toMatchObject({
    works: true,
    since: '2023-06-15',
    problems: ['b.example: unreachable'],
  });
});

test('a chain does not work when no endpoint provides receipts', () => {
  const { has_receipts: _, ...without } = passed();
  expect(report(without, failed())).toMatchObject({
    works: false,
    summary: 'cannot be ingested: no endpoint passed the required checks.',
  });
});

const unproven = passed({
  is_proven: false,
  failed_checks: [{ check: 'proof', kind: 'not proven', reason: 'a.example: hash: …' }],
});

test('leaves endpoints out whose blocks cannot be proven', () => {
  expect(report(unproven, passed({ endpoint: 'b.example' }))).toMatchObject({
    works: true,
    problems: ['a.example: hash: …. The ingest reads from the other endpoints.'],
  });
});

test('a chain waits when no endpoint can be proven, unless its setting accepts checked blocks', () => {
  expect(report(unproven, failed())).toMatchObject({
    works: false,
    summary: expect.stringMatching(/^waits: no endpoint .* set the evidence to checked\.$/),
  });
  expect(reportChain({ ...target, evidence: 'checked' }, [unproven], anchor, now)).toMatchObject({
    works: true,
    problems: [
      'a.example: hash: …. Its blocks pass consistency checks alone, and mark their days as checked.',
    ],
  });
});

test('a chain does not work while its hosts dispute the anchor', () => {
  const disputed = { reason: 'BASE has no anchor. If this persists, remove the faulty one.' };
  expect(reportChain(target, [passed()], disputed, now)).toMatchObject({
    works: false,
    summary: `waits: ${disputed.reason}`,
  });
  // The reasons of endpoints that fail say more.
  expect(reportChain(target, [failed()], disputed, now).summary).toMatch(/no endpoint passed/);
});

/** Joins what a wrapped line was. */
const unwrapped = (text: string) => text.replaceAll(/\n {4,}/g, ' ');

test('no line is wider than 80 columns, with the longest host of a default endpoint', () => {
  const host = 'worldchain-mainnet.g.alchemy.com';
  const failures = failed({ check: 'finalized block', kind: 'unavailable', reason: `${host}: unavailable` });
  const limits = { calls_at_once: 64, calls_per_second: 999 };
  const found = report(
    passed({ endpoint: host, limits }),
    { ...failures, endpoint: host },
    prunedSince('2026-11-05'),
  );
  const lines = stripVTControlCharacters(showReports([found], now)).split('\n');
  expect(lines.slice(1, 4)).toEqual([
    'BASE',
    expect.stringMatching(/^ {2}worldchain\S+ +ok +all +999 at 64$/),
    expect.stringMatching(/^ {2}worldchain\S+ +finalized$/),
  ]);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('warns of the announced forks of the chain', () => {
  const text = unwrapped(showReports([report(passed())], now));
  expect(text).toMatch(
    /\n {2}Fork ahead: Everest, no date yet\. Days wait for an update\. Transactions of type 0x79/,
  );
});

test('a chain works when its endpoints keep up with new blocks together', () => {
  const at = (endpoint: string, calls_per_second: number, given: Partial<EndpointReport> = {}) =>
    passed({ endpoint, limits: { calls_at_once: 1, calls_per_second }, ...given });
  expect(report(at('a.example', 0.9), at('b.example', 0.3)).summary).toMatch(/1\.2 measured/);
  const slow = report(at('a.example', 0.5), at('b.example', 0.4), at('c.example', 9, { is_reserve: true }));
  expect(slow).toMatchObject({
    works: false,
    summary:
      'cannot keep up with new blocks: 1 calls/s needed, 0.9 measured at a.example and b.example. Add an endpoint, or choose a plan with more calls. ' +
      'Calls of new blocks cost $0 to $24 a month (docs/operate/cost.md#nodes).',
  });
  expect(slow).not.toHaveProperty('pace.catches_up_in');
  const checked = reportChain(
    { ...target, evidence: 'checked' },
    [at('a.example', 0.9, { is_proven: false }), at('b.example', 9, { is_proven: false })],
    anchor,
    now,
  );
  expect(checked.summary).toMatch(/0\.9 measured at a\.example\./);
});

test('a chain does not work when the history check fails', () => {
  const { history: _, ...unknown } = passed();
  expect(
    report({ ...unknown, failed_checks: failed({ check: 'history', kind: 'down' }).failed_checks }),
  ).toMatchObject({ works: false, problems: ['b.example: unreachable'] });
});

test.each<[Partial<FailedCheck>, RegExp]>([
  [{ check: 'finalized block', kind: 'unavailable' }, /set the confirmations/],
  [{ check: 'receipts', kind: 'unavailable' }, /eth_getBlockReceipts/],
  [{ check: 'limits', kind: 'no method' }, /a call for each of its transactions/],
])('gives advice for %j', (failure, advice) => {
  expect(report(failed(failure)).problems[0]).toMatch(advice);
});

test.each(['unreachable', 'rate limit', 'quota', 'down', 'misconfigured', 'wrong chain'] as const)(
  'adds no advice to the reason of %s, which says what to do',
  (kind) => {
    const failure = failed({ kind });
    expect(report(failure).problems).toEqual(failure.failed_checks.map(({ reason }) => reason));
  },
);

test('a chain does not work when its endpoints cannot be read', () => {
  expect(reportChain(target, [], { reason: 'The parameter /x is empty' }, now)).toMatchObject({
    works: false,
    summary: 'cannot be ingested: The parameter /x is empty',
  });
});

test('a fork is ahead until its day has passed, and always while it has no date', () => {
  const names = (chain: 'BSC' | 'ETHEREUM', today: string) =>
    forksAhead(chain, today).map(({ name }) => name);
  expect(names('BSC', '2026-12-08')).toContain('Jenner');
  expect(names('BSC', '2026-12-09')).not.toContain('Jenner');
  expect(names('ETHEREUM', '2030-01-01')).toContain('Glamsterdam');
});

describe('the way on after an unknown fork', () => {
  const reportWith = (evidence: EvidencePolicy, refused?: number) =>
    reportChain({ ...target, evidence }, [passed()], anchor, now, { refused });
  const setting = "set the evidence to 'checked from 130'";

  test('is shown with the first block that the last run refused', () => {
    const found = reportWith('proven', 130);
    expect(found).toMatchObject({ refused_block: 130, way_on: expect.stringContaining(setting) });
    expect(unwrapped(showReports([found], now))).toContain(
      '\n  The last run refused block 130. If the chain has forked, update.',
    );
    expect(reportWith('checked from 131', 130)).toMatchObject({ way_on: expect.stringContaining(setting) });
  });

  test('is not shown without such a block, or where receipts are believed from it on', () => {
    for (const found of [reportWith('proven'), reportWith('checked from 130', 130)])
      expect(found).not.toHaveProperty('way_on');
  });
});

test('says at which endpoint headers differ from the row, and works all the same', () => {
  const different = report(passed({ row: ['Canyon is at noon.'] }));
  expect(different.works).toBe(true);
  expect(showReports([different], now)).toContain(
    '\n  Differs from the row at a.example: Canyon is at noon.',
  );
});
