import { BSC_FINALITY } from '#core/chains/finality-rules.ts';
import {
  epochBlockAfter,
  epochLengthAt,
  formOf,
  startFastFinality,
} from '#core/finality/fast-finality/bep126.ts';

/* Proves the epochs of BSC by the dates of its forks. bep126.slow.test.ts follows recorded votes. */

const at = (date: string) => Date.parse(date) / 1_000;

test.each([
  ['2020-08-29T03:24:09Z', 200],
  ['2025-04-29T05:04:59Z', 200],
  ['2025-04-29T05:05:00Z', 500],
  ['2025-06-30T02:29:59Z', 500],
  ['2025-06-30T02:30:00Z', 1_000],
])('at %s an epoch has %i blocks', (date, length) => {
  expect(epochLengthAt(BSC_FINALITY, at(date))).toBe(length);
  expect(epochLengthAt(BSC_FINALITY, `0x${at(date).toString(16)}`)).toBe(length);
});

test('the epoch block after one is a whole epoch later', () => {
  const now = at('2026-11-28T00:00:00Z');
  const next = [1_999, 2_000, 2_001].map((number) => epochBlockAfter(BSC_FINALITY, number, now));
  expect(next).toEqual([2_000, 3_000, 3_000]);
});

test.each([
  ['0x7d0', '2026-11-28T00:00:00Z', true, true],
  ['0x7d1', '2026-11-28T00:00:00Z', false, true],
  ['0x7d0', '2024-09-26T02:20:00Z', true, true],
  ['0x7d0', '2024-09-26T02:19:59Z', true, false],
  ['0x898', '2024-09-26T02:19:59Z', true, false],
])(
  'block %s of %s names validators: %p, and states the turn length since Bohr: %p',
  (number, date, isEpochBlock, hasTurnLength) => {
    const timestamp = `0x${at(date).toString(16)}`;
    expect(formOf(BSC_FINALITY, { number, timestamp })).toEqual({ isEpochBlock, hasTurnLength });
  },
);

/** An epoch block whose validators mine `turnLength` blocks in a row. */
function startWith(count: number, turnLength: number) {
  const validators = Array.from({ length: count }, (_, index) =>
    Buffer.concat([Buffer.alloc(20, index + 1), Buffer.alloc(48, index + 1)]),
  );
  const parts = [Buffer.alloc(32), Buffer.of(count), ...validators, Buffer.of(turnLength), Buffer.alloc(65)];
  const started = startFastFinality(BSC_FINALITY, {
    hash: '0x12',
    parentHash: '0x11',
    number: '0x7d0',
    timestamp: `0x${at('2026-11-28T00:00:00Z').toString(16)}`,
    extraData: `0x${Buffer.concat(parts).toString('hex')}`,
  });
  if (started.kind !== 'advanced') throw new Error(started.reason);
  return started.state;
}

test('validators vote until a majority of them has mined in turn after the next epoch block', () => {
  expect(startWith(21, 8)).toMatchObject({
    block: { number: 2_000, hash: '0x12' },
    seenAt: at('2026-11-28T00:00:00Z'),
    // 11 of 21 validators mine 8 blocks each; the next ones vote for the block after.
    sets: [{ epochBlock: 2_000, from: 2_200, to: 3_000 + 11 * 8 - 1 }],
  });
  expect(startWith(4, 1).sets).toMatchObject([{ to: 3_000 + 3 - 1 }]);
});
