import { showDays } from '../../../cli/verify/show.ts';
import type { SecondOpinion, Verification } from '../../../cli/verify/verify-day.ts';
import { NO_FEES } from '../../../lambda/chains/fee-parts.ts';
import type { SummedBlock } from '../../../lambda/ingest/read-block.ts';
import type { DayFigures } from '../../../lambda/store/day-item.ts';
import { hashOf } from '../../support/builders.ts';

const ref = (number: number) => ({ number, hash: hashOf(number) });
const totals = {
  blocks: 1,
  transactions: 1,
  protocolTransactions: 0,
  fees: { ...NO_FEES, execution: 10n ** 24n },
};
const figures = (given: Partial<DayFigures> = {}): DayFigures => ({
  ...{ day: '2026-11-18', totals, first: ref(4), last: ref(4), definitionVersion: 1 },
  ...given,
});
const block: SummedBlock = { ...ref(4), parentHash: hashOf(3), timestamp: 40, host: 'a.example', totals };

const show = (stored: DayFigures, second?: SecondOpinion): string => {
  const recomputed = { host: 'a.example', figures: figures(), blocks: [block] };
  const found: Verification = { chain: 'BASE', stored, recomputed, reasons: [], ...(second && { second }) };
  return showDays([found], ' --stage prod');
};
const moved = figures({ last: ref(5) });

test('wei are shown to the last digit', () => {
  expect(show(figures())).toMatch(/\nexecution fees, wei +(1(,000){8}) +\1\n/);
});

test('it is said which block begins or ends the day otherwise', () => {
  expect(show(moved)).toContain(
    `\n\nAs stored, it ends with block 5 (${hashOf(5)}); by a.example it ends with block 4 (${hashOf(4)}).`,
  );
  const empty = show(figures({ first: undefined }));
  expect(empty).toContain('As stored, it begins with no block; by a.example it begins with block 4');
  expect(empty).not.toContain('it ends');
});

test('a day that is stored by another definition is said to be', () => {
  expect(show(figures({ definitionVersion: 2 }))).toContain(
    'The day is stored by definition 2, and this version counts by definition 1.',
  );
});

test('a block that only one node counts to the day is told with who does', () => {
  const second: SecondOpinion = {
    ...{ kind: 'nodes differ', host: 'b.example', isStored: false },
    difference: { number: 4, one: block, other: undefined },
  };
  expect(show(moved, second)).toContain(
    `The first block that differs is 4. By a.example it belongs to the day, as ${hashOf(4)} at 40; by b.example it does not.`,
  );
  expect(show(moved, second)).toContain('What is stored is what neither gives.');
});

test('the line to mend it is for the same service', () => {
  expect(show(moved, { kind: 'nodes agree', host: 'b.example' })).toContain(
    "\n  npx chain-insights restate --chain BASE --date 2026-11-18 --reason 'verify found other figures' --stage prod",
  );
});

test('why a second node could not be had is told, with what to pass', () => {
  const text = show(moved, { kind: 'none', reasons: ['b.example: pruned'] });
  expect(text).toMatch(/b\.example: pruned\n\nA second node tells .*: name another with --rpc-url/);
  expect(text).toContain('If there is none, and you trust this one, have the day read again:\n  npx chain');
});
