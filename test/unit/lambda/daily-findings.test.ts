import type { Manifest } from '#core/backup/export-files.ts';
import { exportFindings } from '#lambda/daily-findings.ts';

/** A manifest with one chain, which has this number of days up to the last one. */
const exportOf = (days: number, last_day = '2026-11-20', first_day = '2026-11-11'): Manifest => ({
  format: 1,
  exported_at: '2026-11-21T02:30:00.000Z',
  software_version: '0',
  chains: [{ chain: 'BASE', sha256: '', bytes: 1, items: days, days, first_day, last_day }],
});
const none: Manifest = { ...exportOf(0), chains: [] };
const FROM = '2026-11-11';

test('finds nothing while a chain is complete up to its newest day, however old that is', () => {
  const exports = { now: exportOf(10), before: exportOf(9, '2026-11-19') };
  expect(exportFindings('BASE', exports, FROM)).toEqual([]);
  expect(exportFindings('BASE', { now: exportOf(10), before: exportOf(10) }, FROM)).toEqual([]);
});

test('finds older days that stay missing', () => {
  const exports = { now: exportOf(9), before: exportOf(8, '2026-11-19') };
  expect(exportFindings('BASE', exports, FROM)).toEqual(['BASE: 1 day before 2026-11-20 still missing.']);
});

test('counts days that are missing before the first final one', () => {
  const exports = {
    now: exportOf(5, '2026-11-20', '2026-11-16'),
    before: exportOf(4, '2026-11-19', '2026-11-16'),
  };
  expect(exportFindings('BASE', exports, FROM)).toEqual(['BASE: 5 days before 2026-11-20 still missing.']);
});

test('finds nothing while fewer are missing each day, and on the day of the first export', () => {
  const catchingUp = {
    now: exportOf(6, '2026-11-20', '2026-11-15'),
    before: exportOf(2, '2026-11-19', '2026-11-18'),
  };
  expect(exportFindings('BASE', catchingUp, FROM)).toEqual([]);
  expect(exportFindings('BASE', { now: exportOf(6) }, FROM)).toEqual([]);
});

test('finds an export with fewer days, or without the chain', () => {
  expect(exportFindings('BASE', { now: exportOf(9), before: exportOf(10) }, FROM)).toContain(
    'BASE: the export shrank from 10 to 9 days.',
  );
  expect(exportFindings('BASE', { now: none, before: exportOf(10) })).toEqual([
    'BASE: the export shrank from 10 to 0 days.',
  ]);
});

test('misses no days before the first block of the chain', () => {
  const exports = {
    now: exportOf(10, '2023-06-24', '2023-06-15'),
    before: exportOf(9, '2023-06-23', '2023-06-15'),
  };
  expect(exportFindings('BASE', exports, '2020-01-01')).toEqual([]);
});
