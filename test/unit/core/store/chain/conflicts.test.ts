import { dueConflicts } from '#core/rows/chain-row.ts';
import { listConflicts, saveConflict, settleFinality } from '#core/store/chain/conflicts.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('ETHEREUM');
const since = Date.parse('2026-11-21T08:00:00Z');

test('lists conflicts by day, then the dispute about the final block, stored without the kind of the outcome', async () => {
  const outcome = { kind: 'disputed', reason: 'disputed' };
  await saveConflict(store(), { ...outcome, since });
  expect(await table().getItem({ chain: 'ETHEREUM', date: 'conflict#final-block' })).not.toHaveProperty(
    'kind',
  );
  await saveConflict(store(), { day: '2026-11-19', reason: 'b', since });
  await saveConflict(store(), { day: '2026-11-18', reason: 'a', since });
  const days = (await listConflicts(store())).map(({ day }) => day);
  expect(days).toEqual(['2026-11-18', '2026-11-19', undefined]);
});

test('a conflict about a day keeps its first reason and time until it is settled', async () => {
  const first = { day: '2026-11-18', reason: 'a', since };
  await saveConflict(store(), first);
  await saveConflict(store(), { ...first, reason: 'b', since: since + 1 });
  expect(await listConflicts(store())).toMatchObject([first]);
});

test('missing evidence of finality is a conflict after an hour, and ends with the evidence', async () => {
  const due = async (ms: number) => dueConflicts(await listConflicts(store()), since + ms);
  await saveConflict(store(), { about: 'finality', reason: 'no server', since });
  expect(await due(3_599_999)).toEqual([]);
  expect(await due(3_600_000)).toEqual([{ about: 'finality', day: undefined, reason: 'no server', since }]);
  await saveConflict(store(), { about: 'finality', reason: 'no votes', since: since + 1 });
  expect(await due(3_600_000)).toMatchObject([{ reason: 'no votes', since }]);
  await settleFinality(store());
  expect(await listConflicts(store())).toEqual([]);
});
