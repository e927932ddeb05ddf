import { findCheckedDays } from '#cli/restate/many-days.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { emptyAfter, storedDay } from '#test/support/generators/rows/stored-days.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();

async function putChecked(...days: readonly Partial<StoredDay>[]): Promise<void> {
  for (const given of days)
    await putStoredDay(table(), storedDay({ evidence: 'checked', proven_blocks: 0, ...given }), undefined);
}

test('leaves out days with blocks that no endpoint can prove, and says why', async () => {
  const nitro = 22_207_818;
  await putChecked(
    {
      chain: 'ARBITRUM',
      date: '2022-08-30',
      first_block: blockAt(nitro - 9),
      last_block: blockAt(nitro - 1),
    },
    // Its first block is before Nitro.
    {
      chain: 'ARBITRUM',
      date: '2022-08-31',
      first_block: blockAt(nitro - 1),
      last_block: blockAt(nitro + 9),
    },
    {
      chain: 'ARBITRUM',
      date: '2022-09-01',
      first_block: blockAt(nitro + 10),
      last_block: blockAt(nitro + 20),
    },
    { chain: 'ARBITRUM', date: '2021-05-28', ...emptyAfter(0) },
  );
  const { found, notes } = await findCheckedDays([servedChain('ARBITRUM', table())]);
  expect(found.map(({ day }) => day)).toEqual(['2022-09-01', '2021-05-28']);
  expect(notes).toEqual([
    'ARBITRUM: 2 checked days left out: before Nitro (block 22207818), blocks do not hash to their hash.',
  ]);
});
