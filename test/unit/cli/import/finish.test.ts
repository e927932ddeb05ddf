import { beginCoverages, decodeOthers, finishChain } from '#cli/import/finish.ts';
import { parseDay } from '#cli/options.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { chainStore } from '#core/store/table/table.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const at = { file: 'BSC.ndjson.gz', line: 7 };
const bsc = storedDays(3).map((day) => ({ ...at, day }));

const service = (from?: string) => ({
  title: '',
  flags: '',
  table: table(),
  chains: from ? [servedChain('BSC', table(), { from })] : [],
});
const putAll = async () => {
  for (const { day } of bsc) await table().putIf(day);
};

test('begins the coverage with the start of the schedule, its old start, or 30 days ago', async () => {
  await beginCoverages(service(), bsc);
  expect(await getCoverage(store())).toMatchObject({ from_day: parseDay('30-days-ago'), revision: 1 });
  await beginCoverages(service('2025-11-18'), bsc);
  expect(await getCoverage(store())).toMatchObject({ from_day: '2025-11-18', revision: 2 });
  await beginCoverages(service(), bsc);
  expect(await getCoverage(store())).toMatchObject({ from_day: '2025-11-18', revision: 2 });
});

test('begins the coverage of a chain that the service does not ingest', async () => {
  await beginCoverages(service(), [{ ...at, day: storedDay({ chain: 'BASE', date: '2023-06-15' }) }]);
  expect(await getCoverage(chainStore(table(), 'BASE'))).toMatchObject({ revision: 1 });
});

test('restores without the items that cannot be read, and rebuilds a coverage from the first day', async () => {
  await putAll();
  const items = [
    { chain: 'BSC', date: 'coverage', revision: 'many' },
    { chain: 'BSC', date: 'conflict#2025-11-18', reason: 7n },
    { chain: 'BSC', date: 'restatement#2025-11-19' },
    { chain: 'BSC', date: 'archive#abab', equal: 'all' },
  ];
  const decoded = decodeOthers(
    items.map((item) => ({ ...at, item })),
    ['BSC'],
  );
  expect(decoded.items).toEqual([]);
  expect(decoded.problems.map(({ problem }) => problem.split(' cannot be read')[0])).toEqual(
    items.map(({ date }) => `The item BSC ${date}`),
  );
  await finishChain(service(), 'BSC', bsc, decoded, []);
  expect(await getCoverage(store())).toMatchObject({
    from_day: '2025-11-18',
    through_day: '2025-11-20',
    revision: 1,
  });
});
