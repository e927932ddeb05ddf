import { showDays, showProof } from '#cli/verify/report.ts';
import type { CrossCheck, Verification } from '#cli/verify/verify-days.ts';
import type { SummedBlock } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { advance, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { blockAt, dayFigures, hashOf } from '#test/support/generators/blocks/builders.ts';

const totals = { ...NO_TOTALS, blocks: 1, transactions: 1, fees: { ...NO_FEES, execution: 10n ** 24n } };
const figures = (given: Partial<DayFigures> = {}) =>
  dayFigures('2026-11-18', { totals, parentHash: hashOf(3), first: blockAt(4), last: blockAt(4), ...given });
const block: SummedBlock = {
  ...blockAt(4),
  parentHash: hashOf(3),
  timestamp: startOfDay('2026-11-18') + 40,
  host: 'a.example',
  totals,
  feeBuckets: [],
  isProven: true,
};
const proof = {
  block_count: 432_000,
  proven_blocks: 432_000,
  last_hash: blockAt(4).hash,
  confirmed_by: ['a.example', 'b.example'],
};

const show = (stored: DayFigures, crossCheck?: CrossCheck): string => {
  const progress = advance(startDayProgress('2026-11-18', blockAt(3)), block);
  const recomputed = { host: 'a.example', figures: figures(), progress, next: blockAt(5) };
  const day = { chain: 'BASE', stored, recomputed, proof, reasons: [], ...(crossCheck && { crossCheck }) };
  return showDays([day satisfies Verification], ' --stage prod');
};
const moved = figures({ last: blockAt(5) });

test('shows all digits of fees', () => {
  expect(show(figures())).toMatch(/\nexecution_fees +(1(,000){8}) +\1\n/);
});

test('shows the proof', () => {
  expect(show(figures())).toContain(
    `432,000 of 432,000 blocks are proven. The last one is ${hashOf(4)}, and a.example and b.example confirm the block after it.`,
  );
});

test.each([
  [
    { confirmed_by: [], continued_by: '2026-11-19' },
    `The last one is ${hashOf(4)}, which the first block of 2026-11-19 names as its parent.`,
  ],
  [{ confirmed_by: [], problem: 'pruned' }, `The last one is ${hashOf(4)}, which is not anchored: pruned.`],
  [{ proven_blocks: 9 }, /^9 of 432,000 .* The others passed consistency checks alone\. The last/],
])('shows a proof with %j', (given, text) => {
  expect(showProof({ ...proof, ...given })).toMatch(text);
});

test.each([
  ['last block', moved, /\nlast_block +5 0x\w{8}… +4 0x\w{8}… +≠\n/],
  ['parent', figures({ parentHash: hashOf(2) }), /\nparent_hash +0x\w{8}… +0x\w{8}… +≠\n/],
  ['first block', figures({ first: undefined }), /\nfirst_block +none +4 0x\w{8}… +≠\n/],
  ['definition', figures({ definitionVersion: 2 }), /\ndefinition_version +2 +1 +≠\n/],
])('marks another %s', (_, stored, row) => {
  expect(show(stored)).toMatch(row);
});

test('advises to ask a third endpoint when the second matches neither side', () => {
  expect(
    show(moved, { result: 'endpoints disagree', endpoint: 'b.example', equals_stored: false }),
  ).toContain('The stored figures match neither endpoint. Ask a third one with --rpc-url');
});

test('suggests to restate the day of the same service', () => {
  expect(show(moved, { result: 'endpoints agree', endpoint: 'b.example' })).toContain(
    "\n  npx --no chain-insights restate --chain BASE --date 2026-11-18 --reason 'verify found different figures' --stage prod",
  );
});

test('explains why no second endpoint was available', () => {
  const text = show(moved, { result: 'unavailable', reasons: ['b.example: pruned'] });
  expect(text).toMatch(
    /b\.example: pruned\n\nA second endpoint would show which side is wrong\. Add one with --rpc-url/,
  );
  expect(text).toContain(
    'If you have no other endpoint and trust this one, restate the day:\n  npx --no chain',
  );
});
