import type { BlockFiles } from '#core/blocks/files/source.ts';
import { findFreezerRange, openFreezer } from '#core/blocks/freezer/freezer.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { decodeRawHeader } from '#core/proof/header.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { queryDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';
import { removeIndexes, sumFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { pruneTable, realFreezers, unpackFreezer } from '#test/support/generators/files/real-freezers.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { backfillDays } from '#test/support/processes/file-run.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* The files of real nodes, copied while these ran, have the totals that other code summed from receipts. */

describe.each(realFreezers)('the freezer of $client', ({ chainName, archive, last, days }) => {
  const chain = chainOf(chainName);
  const [, second = ''] = days.keys();
  const hidden = days.get(second)?.first ?? 0;
  const removed = hidden - 2;
  const recordedFrom = (first: number) =>
    [...days]
      .filter(([, day]) => day.first >= first && day.last <= last)
      .map(([day, { totals }]) => [day, totals]);

  const variants: readonly [string, number, (folder: string) => void][] = [
    ['with its indexes', 0, () => {}],
    ['without indexes', 0, removeIndexes],
    [
      // Geth keeps all headers.
      'pruned',
      hidden,
      (folder) => {
        for (const table of ['bodies', 'receipts']) pruneTable(folder, table, removed, hidden);
      },
    ],
    [
      'pruned and without indexes',
      removed,
      (folder) => {
        for (const table of ['headers', 'bodies', 'receipts']) pruneTable(folder, table, removed, hidden);
        removeIndexes(folder);
      },
    ],
  ];

  // Of 2,039 blocks of BSC, the indexes are read by the backfill below.
  test.each(chainName === 'BSC' ? variants.slice(-1) : variants)(
    'has the recorded totals %s',
    async (_, first, change) => {
      const folder = unpackFreezer(archive);
      change(folder);
      const [sums] = await sumFreezer(folder, chain);
      expect(sums).toMatchObject({ first, count: last + 1 - first });
      expect(sums?.problem).toBeUndefined();
      const recorded = recordedFrom(first);
      expect(recorded).not.toEqual([]);
      const found = new Map(sums?.days.map(({ day, totals }) => [day, totals]));
      expect(recorded.map(([day]) => [day, found.get(`${day}`)])).toEqual(recorded);
    },
  );
});

// Base’s recorded days span three years, and a backfill reads each of the 1,200 empty days between them.
const contiguous = realFreezers.filter(({ chainName }) => chainName !== 'BASE');

describe.each(contiguous)('a backfill from the freezer of $client', ({ chainName, archive, last, days }) => {
  const table = useMemoryTable();

  test('publishes the recorded totals once two hosts confirm its last block', async () => {
    const chain = chainOf(chainName);
    const folder = unpackFreezer(archive);
    const files = openFreezer(folder, chain, await findFreezerRange(folder, chain));
    const answer = answerWith(chain, await headerAt(files, last));
    // The network was ahead of the time at which it was recorded.
    const clock = { ...fastClock(), now: () => Date.parse('2026-12-01') };
    const [from = ''] = days.keys();
    const store = chainStore(table(), chain);
    const run = {
      chain,
      store,
      files,
      answers: [answer, answer],
      from,
      clock,
      finality: 'reported',
    } as const;
    // The last one is cut by the end of the freezer.
    const newest = [...days.keys()].at(-1) ?? '';
    const newestFirst = [addDays(newest, 1), ...[...days.keys()].toReversed()];
    await backfillDays(run, newestFirst);
    const whole = [...days].filter(([, day]) => day.last < last);
    const stored = await queryDays(store, from, '9999-12-31');
    expect(stored.map(({ day, totals }) => [day, totals])).toEqual(
      whole.map(([day, { totals }]) => [day, totals]),
    );
  });
});

async function headerAt(files: BlockFiles, number: number): Promise<RpcHeader> {
  const [file] = (await files.withBlock(number)).files;
  if (file) return decodeRawHeader(await file.header(number));
  throw new Error(`block ${number} is not there`);
}

/** Answers as a pruned node to which this block is the final one. */
const answerWith =
  ({ id }: Chain, header: RpcHeader): NodeAnswer =>
  ({ method, params: [at] }) => {
    if (method === 'eth_chainId') return { result: hex(id) };
    const isOther = /^0x/.test(`${at}`) && Number(at) !== Number(header.number);
    if (method === 'eth_getBlockByNumber')
      return { result: isOther ? null : { ...header, transactions: [] } };
    return { error: { code: -32601, message: `the method ${method} does not exist` } };
  };
