import { getLag, saveLag } from '#core/store/chain/lag.ts';
import { chainStore } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('reads the lag that was saved last, of its chain only', async () => {
  const [base, bsc] = [chainStore(table(), 'BASE'), chainStore(table(), 'BSC')];
  expect(await getLag(base)).toBeUndefined();
  await saveLag(base, { seconds: 900, seenAt: 1_000 });
  await saveLag(base, { seconds: 20, seenAt: 2_000 });
  expect(await getLag(base)).toEqual({ seconds: 20, seenAt: 2_000 });
  expect(await getLag(bsc)).toBeUndefined();
});

test('reads why the last run failed, also of a chain whose lag no run found out', async () => {
  const base = chainStore(table(), 'BASE');
  await saveLag(base, { seenAt: 1_000, problem: 'a.example: HTTP status 401' });
  expect(await getLag(base)).toEqual({ seenAt: 1_000, problem: 'a.example: HTTP status 401' });
});
