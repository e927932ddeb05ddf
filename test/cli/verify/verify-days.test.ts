import { verifyDays } from '../../../cli/verify/verify-days.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { publishDay } from '../../../lambda/ingest/publish.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');

test('of a day that is not final it tells what coverage would', async () => {
  const ref = (number: number) => ({ number, hash: hashOf(number) });
  for (const [index, day] of ['2026-11-18', '2026-11-20'].entries()) {
    const progress = { ...startProgress(day, ref(index)), first: ref(index), hosts: [] };
    await publishDay(store(), progress, ref(index + 1), 0);
  }
  const chain = chainOf('ETHEREUM');
  const served = {
    ...{ name: 'ETHEREUM' as const, chain, from: '2026-11-18', store: store() },
    openUpstreams: async () => [],
  };
  const run = {
    ...{ flags: ' --stage prod', signal: new AbortController().signal },
    endpointsOf: async () => ({ first: [], others: async () => [] }),
  };
  const days = ['2026-11-19', '2026-11-21'].map((day) => ({ served, day }));
  const [missing, later] = await verifyDays(run, days);
  const coverage = 'npx chain-insights coverage --chain ETHEREUM --stage prod shows them.';
  expect(missing).toEqual({
    ...{ chain: 'ETHEREUM', day: '2026-11-19' },
    reason: `ETHEREUM 2026-11-19 is not final, so there is nothing to verify. Its final days lie from 2026-11-18 to 2026-11-20, and this one is missing: ${coverage}`,
  });
  expect(later).toMatchObject({
    reason: expect.stringContaining(`Its final days lie from 2026-11-18 to 2026-11-20: ${coverage}`),
  });
});
