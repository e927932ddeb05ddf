import { requestRestatement } from '#core/store/days/checkpoints.ts';
import { getDay } from '#core/store/days/days.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';
import { refAt } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import {
  blocks,
  days,
  honest,
  ingestFrom,
  publishedIn,
  trueDays,
} from '#test/support/nodes/attacked-chain.ts';
import type { Answer } from '#test/support/nodes/json-rpc-server.ts';
import type { GivenRun } from '#test/support/processes/run-ingest.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Days whose first and last blocks follow from no hash, because they were read under the policy `checked`. */

const { table, store } = useMemoryStore('ETHEREUM');
const NEXT = days[1] ?? '';
const ingest = (answers: readonly Answer[], given?: GivenRun) => ingestFrom(table(), answers, given);

/** Stores a day that was not proven. */
const putCheckedDay = (day: string, first: number, last: number) =>
  putDay(
    store(),
    dayFigures(day, {
      parentHash: refAt(blocks, first - 1).hash,
      first: refAt(blocks, first),
      last: refAt(blocks, last),
    }),
    provenance({ evidence: 'checked', provenBlocks: 0 }),
  );

/** Reports the first block of the second day before midnight, under its true hash. */
const liar: Answer = async (call) => {
  const answer = await honest(call);
  if (call.method !== 'eth_getBlockByNumber' || Number(call.params[0]) !== 4 || !('result' in answer))
    return answer;
  return { result: { ...(answer.result as object), timestamp: hex(at(0, 86_399)) } };
};

test.each([
  [
    'after midnight costs the day after no block',
    4,
    /2026-11-19 begins after block 4 .*, which is of that day/,
  ],
  [
    'before the last block of the day is named',
    2,
    /2026-11-18 is final and ends with block 2 .*, but block 3 .* is of that day too/,
  ],
])('an end %s, and a restatement repairs both days', async (_, last, reason) => {
  await putCheckedDay(DAY, 1, last);
  const report = await ingest([honest, honest]);
  expect(report).toMatchObject({ outcome: 'conflict', reason: expect.stringMatching(reason) });
  expect(report.reason).toContain('Verify 2026-11-18, and restate it.');
  expect(await getDay(store(), NEXT)).toBeUndefined();
  await requestRestatement(store(), DAY, { reason: 'its end is wrong', requestedAt: '2026-11-22T00:00:00Z' });
  for (let run = 0; run < 2; run++) await ingest([honest, honest]);
  expect(await publishedIn(table())).toEqual(trueDays());
});

describe('a start that one checked endpoint reported', () => {
  test('is corrected before the day is published, once two hosts prove it', async () => {
    for (const day of [DAY, NEXT]) {
      expect(await ingest([liar], { evidence: 'checked', day })).toMatchObject({ waiting: true });
    }
    for (let run = 0; run < 2; run++) await ingest([honest, honest]);
    expect(await publishedIn(table())).toEqual(trueDays());
    expect((await getDay(store(), NEXT))?.first).toEqual(refAt(blocks, 4));
  });

  test('makes a day checked whose blocks are all proven, but only where the header does not hash', async () => {
    const evidenceOf = async (answer: Answer) => {
      await ingest([answer, answer], { evidence: 'checked' });
      const stored = await getStoredDay(store(), NEXT);
      return [stored?.evidence, Number(stored?.proven_blocks), stored?.block_count];
    };
    expect(await evidenceOf(liar)).toEqual(['checked', 2, 2]);
    for (const date of [...days, 'coverage']) await table().deleteItem({ chain: 'ETHEREUM', date });
    expect(await evidenceOf(honest)).toEqual(['proven', 3, 3]);
  });
});
