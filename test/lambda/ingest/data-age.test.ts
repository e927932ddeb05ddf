import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dataAgeSeconds } from '../../../lambda/ingest/data-age.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { openTable } from '../../../lambda/store/document-table.ts';
import type { Table } from '../../../lambda/store/table.ts';
import { embeddedAccess } from '../../../local/embedded-table.ts';
import { startAwsService } from '../../support/aws-service.ts';
import { fastClock } from '../../support/clock.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
beforeEach(() => warn.mockClear());
afterAll(() => warn.mockRestore());

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600;
const clockAt = (now: number) => ({
  ...fastClock(),
  now: () => now,
  sleep: () => new Promise<void>(() => {}),
});

const putCoverage = (from_day: unknown, through_day: string) =>
  table().documents.send(
    new PutCommand({
      TableName: table().name,
      Item: { chain: 'BASE', date: 'coverage', from_day, through_day, revision: 1 },
    }),
  );

const ageAt = (now: number, from = '2026-11-01', of: Table = table()) =>
  dataAgeSeconds(chainStore(of, 'BASE'), from, clockAt(now));

test('is the time since the end of the last contiguous final day', async () => {
  await putCoverage('2026-11-01', '2026-11-19');
  expect(await ageAt(NOON)).toBe(12 * HOUR);
});

test('counts from the first missing day', async () => {
  await putCoverage('2026-11-01', '2026-11-17');
  expect(await ageAt(NOON)).toBe(60 * HOUR);
});

test('counts from the start of the first day to ingest when no day is final', async () => {
  expect(await ageAt(NOON, '2026-11-20')).toBe(12 * HOUR);
  await putCoverage('2026-11-19', '2026-11-18');
  expect(await ageAt(NOON)).toBe(36 * HOUR);
});

test('is 0 before the first day', async () => {
  expect(await ageAt(NOON, '2026-12-01')).toBe(0);
});

describe('when the table', () => {
  test.each([
    [
      'has an invalid coverage item',
      async () => {
        await putCoverage(7, '2026-11-19');
        return ageAt(NOON);
      },
      'invalid_type',
    ],
    [
      'returns an error',
      async () => {
        await using away = await startAwsService(() => ({ error: 'InternalServerError', status: 500 }));
        return await ageAt(
          NOON,
          '2026-11-01',
          openTable('metrics', { endpoint: away.url, ...embeddedAccess }),
        );
      },
      'The table is unavailable',
    ],
    [
      'does not answer',
      () => {
        const silent = openTable('metrics', {
          ...embeddedAccess,
          requestHandler: { handle: () => new Promise<never>(() => {}) },
        });
        return dataAgeSeconds(chainStore(silent, 'BASE'), '2026-11-01', fastClock());
      },
      'The table did not answer within 2 s',
    ],
  ])('%s, the age is undefined and the reason is logged', async (_, age, reason) => {
    expect(await age()).toBeUndefined();
    expect(warn.mock.calls).toEqual([
      [
        {
          chain: 'BASE',
          problem: 'the age of the data is unknown',
          reason: expect.stringContaining(reason),
        },
      ],
    ]);
  });
});
