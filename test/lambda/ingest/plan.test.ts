import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { newestDays, nextRestatement, oldestMissingDay } from '../../../lambda/ingest/plan.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { refreshCoverage } from '../../../lambda/store/coverage.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { replaceDay, requestRestatement } from '../../../lambda/store/restatements.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const [DAY, NEXT, DAY_AFTER] = ['2026-11-18', '2026-11-19', '2026-11-20'] as const;

const figures = (day: string) => ({
  day,
  totals: NO_TOTALS,
  last: { number: 9, hash: hashOf(9) },
  definitionVersion: 1,
});
const put = (day: string) => putDay(store(), figures(day), provenance());

/** Runs a function that must not write. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  const writes = [jest.spyOn(table(), 'putIf'), jest.spyOn(table(), 'deleteItem')];
  const result = await read();
  for (const write of writes) {
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  }
  return result;
}

describe('oldestMissingDay', () => {
  const missing = (from: string) => reading(() => oldestMissingDay(store(), from));

  test('is the start date before any coverage', async () => {
    expect(await missing(DAY)).toBe(DAY);
  });

  test('is the day after the coverage', async () => {
    await put(DAY);
    await put(DAY_AFTER);
    await refreshCoverage(store(), DAY);
    expect(await missing(DAY)).toBe(NEXT);
  });

  test('is the start date when the coverage begins with another day', async () => {
    await put(DAY);
    await refreshCoverage(store(), DAY);
    expect(await missing('2026-11-16')).toBe('2026-11-16');
    expect(await missing(NEXT)).toBe(NEXT);
  });
});

describe('newestDays', () => {
  const FROM = '2026-11-10';
  const newest = (head: string) =>
    reading(() => newestDays(store(), FROM, Date.parse(`${head}T12:00:00Z`) / 1_000));
  const begin = (day: string) =>
    saveCheckpoint(store(), { day, sequence: 0 }, startProgress(day, { number: 4, hash: hashOf(4) }));

  test('is the newest complete day while older days are missing', async () => {
    expect(await newest('2026-11-20')).toEqual(['2026-11-19']);
    await put(FROM);
    await refreshCoverage(store(), FROM);
    await begin('2026-11-11');
    expect(await newest('2026-11-20')).toEqual(['2026-11-19']);
  });

  test('is none when the newest complete day is the oldest missing, or final, or before the first', async () => {
    expect(await newest(FROM)).toEqual([]);
    expect(await newest('2026-11-11')).toEqual([]);
    await put(FROM);
    await refreshCoverage(store(), FROM);
    expect(await newest('2026-11-12')).toEqual([]);
  });

  test('begins with the day before when that has begun, so that a slow chain completes days', async () => {
    await begin('2026-11-18');
    expect(await newest('2026-11-20')).toEqual(['2026-11-18', '2026-11-19']);
    expect(await newest('2026-11-19')).toEqual(['2026-11-18']);
    expect(await newest('2026-11-21')).toEqual(['2026-11-20']);
  });
});

describe('nextRestatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const next = (day?: string) => reading(() => nextRestatement(store(), day));

  beforeEach(async () => {
    for (const day of [DAY, NEXT, DAY_AFTER]) await put(day);
  });

  test('is undefined when none is requested', async () => {
    expect(await next()).toBeUndefined();
  });

  test('is the earliest that is open, with its progress', async () => {
    await requestRestatement(store(), DAY_AFTER, restatement);
    await requestRestatement(store(), NEXT, restatement);
    const progress = startProgress(NEXT, { number: 4, hash: hashOf(4) });
    await saveCheckpoint(store(), { day: NEXT, sequence: 1, restatement }, progress);
    expect(await next()).toEqual({ day: NEXT, sequence: 2, restatement, progress });
    expect(await next(DAY_AFTER)).toMatchObject({ day: DAY_AFTER });
    expect(await next(DAY)).toBeUndefined();
  });

  test('skips one that is done, and one of a day that is not final', async () => {
    await requestRestatement(store(), DAY, restatement);
    await replaceDay(store(), figures(DAY), provenance(), restatement);
    await requestRestatement(store(), '2026-11-21', restatement);
    expect(await next()).toBeUndefined();
    await requestRestatement(store(), DAY_AFTER, restatement);
    expect(await next()).toMatchObject({ day: DAY_AFTER });
  });

  test('by hand is only that of the day itself', async () => {
    await requestRestatement(store(), NEXT, { ...restatement, isByHand: true });
    expect(await next()).toBeUndefined();
    expect(await next(NEXT)).toMatchObject({ day: NEXT, restatement: { isByHand: true } });
  });
});
