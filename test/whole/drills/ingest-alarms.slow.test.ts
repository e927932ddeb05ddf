import { defaultChainNames } from '#core/chains/chains.ts';
import type { Sample } from '#test/support/aws/metric-math.ts';
import {
  catchingUp,
  days,
  downSince,
  evaluate,
  every,
  HOUR_MS,
  healthy,
  MIDNIGHT,
  MINUTE_MS,
  NOON,
  type ReportAt,
  schedule,
  subjects,
} from '#test/support/aws/scheduled-runs.ts';

/* The alarms of the ingest are evaluated over what runs publish. Each outage must send one page in time, and all that is planned none. */

const within = (time: number, from: number, hours: number) => time >= from && time < from + hours * HOUR_MS;

/** Returns reports while nothing runs, for all chains or one. */
const noRuns =
  (from: number, hours: number, only?: string): ReportAt =>
  (chain, time) =>
    within(time, from, hours) && (only ?? chain) === chain ? 'none' : undefined;

const pageOf = (chain: string) => `page: page-chain-${chain} ALARM`;

/** The samples of the probe and the export, while they work, and the metric of the probe. */
const PROBE = 'Errors Apiprobe';
const others = (from: number, until: number): Sample[] => [
  ...every(20, [from, until], PROBE, 0),
  ...every(24 * 60, [from + 2.5 * HOUR_MS, until], 'Errors BackupExport', 0),
];

describe('nobody is paged by', () => {
  const begin = MIDNIGHT + 2 * HOUR_MS;
  test.each([0, 1, 2, 3, 4])(
    'a first deployment whose alarms exist %i minutes before its runs',
    (minutes) => {
      const samples = [...schedule(days(2), undefined, begin), ...others(MIDNIGHT + 3 * HOUR_MS, days(2))];
      const { mails } = evaluate(samples, MIDNIGHT, days(2), {}, begin - minutes * MINUTE_MS);
      expect(mails).toEqual([]);
    },
  );

  test.each([
    ['hours after its alarm', MIDNIGHT],
    ['with its alarm', NOON - MINUTE_MS],
  ])('a chain whose runs begin %s', (_, created) => {
    const samples = schedule(days(1), noRuns(MIDNIGHT - 24 * HOUR_MS, 36, 'BASE'));
    expect(evaluate(samples, created, days(1), {}, created).mails).toEqual([]);
  });

  test.each([
    ['a redeployment, during which no run reports for a quarter of an hour', noRuns(NOON, 0.25)],
    ['a pause of an hour', noRuns(NOON, 1)],
    ['a pause of almost two hours over midnight', noRuns(days(1) - HOUR_MS, 1.9)],
    ['a pause of one chain for almost four hours', noRuns(NOON, 3.9, 'BASE')],
  ])('%s', (_, reportAt) => {
    expect(evaluate(schedule(days(2), reportAt), MIDNIGHT, days(2)).mails).toEqual([]);
  });

  test('nodes of a chain, or of all, that fail for five hours', () => {
    const down: ReportAt = (chain, time) =>
      within(time, NOON, 5) || (chain === 'BASE' && within(time, days(1), 5))
        ? downSince(time < days(1) ? NOON : days(1), chain, time)
        : undefined;
    expect(evaluate(schedule(days(2), down), MIDNIGHT, days(2)).mails).toEqual([]);
  });

  test('a chain that a run overtakes, or that does not know its head, now and then', () => {
    const { headAgeSeconds: _, ...unknown } = healthy('BASE', NOON);
    const reportAt: ReportAt = (chain, time) =>
      chain === 'BASE' && time % HOUR_MS === 0
        ? { ...unknown, outcome: 'overtaken by another run' }
        : undefined;
    expect(evaluate(schedule(days(1), reportAt), MIDNIGHT, days(1)).mails).toEqual([]);
  });
});

describe('one chain that', () => {
  test('is down sends one email, and another chain that fails meanwhile sends its own', () => {
    const reportAt: ReportAt = (chain, time) => {
      if (chain === 'POLYGON' && time >= MIDNIGHT + HOUR_MS)
        return downSince(MIDNIGHT + HOUR_MS, chain, time);
      return chain === 'ETHEREUM' && within(time, days(1) + HOUR_MS, 19)
        ? downSince(days(1) + HOUR_MS, chain, time)
        : undefined;
    };
    const { mails } = evaluate(schedule(days(3), reportAt), MIDNIGHT, days(3));
    expect(subjects(mails)).toEqual([pageOf('POLYGON'), pageOf('ETHEREUM'), 'page: page-chain-ETHEREUM OK']);
    expect(mails[0]?.minutes).toBeGreaterThan(6.5 * 60);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(7.5 * 60);
  });

  test('no longer runs pages within four hours and a quarter, once', () => {
    const { mails } = evaluate(schedule(days(3), noRuns(NOON, 36, 'BASE')), NOON, days(3));
    expect(subjects(mails)).toEqual([pageOf('BASE'), 'page: page-chain-BASE OK']);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(4.25 * 60);
  });

  test('reads blocks, but completes no day, pages by 06:30 UTC', () => {
    const reportAt: ReportAt = (chain, time) =>
      chain === 'BASE' && time >= NOON ? catchingUp(NOON, chain, time) : undefined;
    const { mails } = evaluate(schedule(days(3), reportAt), days(1), days(3));
    expect(subjects(mails)).toEqual([pageOf('BASE')]);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(6.5 * 60);
  });

  test('never had nodes that work pages after six hours', () => {
    const begin = MIDNIGHT + HOUR_MS;
    const reportAt: ReportAt = (chain, time) => {
      if (chain !== 'BASE') return undefined;
      const { unreadSeconds, ...report } = downSince(begin, chain, time);
      // The first failure does not know since when.
      return time === begin ? report : { ...report, unreadSeconds: unreadSeconds ?? 0, dataAgeSeconds: 0 };
    };
    const { mails } = evaluate(schedule(days(1), reportAt, begin), begin, days(1), {}, begin);
    expect(subjects(mails)).toEqual([pageOf('BASE')]);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(6.5 * 60);
  });

  test('expects a fork that is not followed pages within five hours', () => {
    const reportAt: ReportAt = (chain, time) =>
      chain === 'BASE' && time >= NOON
        ? { ...healthy(chain, time), unknownFork: 'a host says so' }
        : undefined;
    const { mails } = evaluate(schedule(days(1), reportAt), NOON, days(1));
    expect(subjects(mails)).toEqual([pageOf('BASE')]);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(5 * 60);
  });

  test('is the only one of a stage pages through ingest', () => {
    const chains = Object.fromEntries(defaultChainNames.map((name) => [name, { enabled: name === 'BASE' }]));
    const only = schedule(days(1), noRuns(NOON, 36)).filter(({ metric }) => !/chain=(?!BASE)/.test(metric));
    expect(subjects(evaluate(only, MIDNIGHT, days(1), { chains }).mails)).toEqual([
      'page: page-ingest ALARM',
    ]);
  });
});

describe('one cause is one email and one about its end:', () => {
  const once = ['page: page-ingest ALARM', 'page: page-ingest OK'];

  test('nothing runs, which pages within two hours and a quarter', () => {
    const samples = [...schedule(days(2), noRuns(NOON, 10)), ...others(MIDNIGHT, days(2))];
    const { mails } = evaluate(samples, NOON, days(2));
    expect(subjects(mails)).toEqual(once);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(2.25 * 60);
    expect(mails[1]?.minutes).toBeLessThanOrEqual(11 * 60);
  });

  test('no chain has nodes, and the days are late for four hours afterwards', () => {
    const from = days(1) - 6 * HOUR_MS;
    const reportAt: ReportAt = (chain, time) => {
      if (within(time, from, 18)) return downSince(from + chain.length * 30_000, chain, time);
      // Each takes as many half hours as its name has letters, at most four hours.
      return within(time, from + 18 * HOUR_MS, Math.min(chain.length, 8) / 2)
        ? catchingUp(from, chain, time)
        : undefined;
    };
    const { mails } = evaluate(schedule(days(3), reportAt), from, days(3));
    expect(subjects(mails)).toEqual(once);
    expect(mails[0]?.minutes).toBeGreaterThan(5.5 * 60);
    expect(mails[0]?.minutes).toBeLessThanOrEqual(6.5 * 60);
  });

  test('a chain that was down before sends no other, and ends when it works', () => {
    const reportAt: ReportAt = (chain, time) => {
      if (within(time, NOON, 6)) return 'none';
      return chain === 'BASE' && within(time, MIDNIGHT, 24) ? downSince(MIDNIGHT, chain, time) : undefined;
    };
    const { mails } = evaluate(schedule(days(2), reportAt), MIDNIGHT, days(2));
    expect(subjects(mails)).toEqual([pageOf('BASE'), ...once, 'page: page-chain-BASE OK']);
  });

  test.each([
    ['', true],
    [', in a stage without a probe', false],
  ])('the table, a role or Lambda fails, which is the email of the API alone%s', (_, probe) => {
    const end = NOON + 5 * HOUR_MS;
    const failed = [
      ...every(20, [NOON, end], PROBE, 1),
      ...every(1 / 6, [NOON, end], '5XXError', 1),
      ...every(1 / 6, [end, days(1)], '5XXError', 0),
    ];
    const works = [...others(MIDNIGHT, NOON), ...others(end, days(1))];
    const samples = [...schedule(days(1), noRuns(NOON, 5)), ...works, ...failed];
    const { mails } = evaluate(samples, NOON, days(1), { probe });
    const name = probe ? 'page-api' : 'page-api-down';
    expect(subjects(mails)).toEqual([`page: ${name} ALARM`, `page: ${name} OK`]);
  });

  test('the API works again, but nothing runs, which is an email of its own', () => {
    const end = NOON + 5 * HOUR_MS;
    const probes = [...every(20, [NOON, end], PROBE, 1), ...every(20, [end, days(1)], PROBE, 0)];
    const samples = [...schedule(days(1), noRuns(NOON, 12)), ...others(MIDNIGHT, NOON), ...probes];
    expect(subjects(evaluate(samples, NOON, days(1)).mails)).toEqual([
      'page: page-api ALARM',
      'page: page-api OK',
      'page: page-ingest ALARM',
    ]);
  });
});
