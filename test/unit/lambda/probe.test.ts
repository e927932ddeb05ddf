import { createServer } from 'node:http';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { environment } from '#lambda/environment.ts';
import { handler } from '#lambda/probe.ts';
import { serve } from '#test/support/servers/serve.ts';

const parameters = mockClient(SSMClient);
const KEY = 'a-key-that-nobody-may-see';

beforeEach(() => {
  parameters
    .reset()
    .on(GetParameterCommand)
    .resolves({ Parameter: { Value: KEY } });
  for (const level of ['info', 'error'] as const) jest.spyOn(console, level).mockImplementation(() => {});
});

/** Runs the probe of a stage with two chains. @param days the newest final day of each, with whether the API has it */
async function probe(days: Readonly<Record<string, { day: string | null; hasRow?: boolean }>>) {
  const asked: string[] = [];
  await using api = await serve(
    createServer(({ url = '' }, response) => {
      const chain = new URL(url, 'http://localhost').searchParams.get('chain');
      if (chain === null) {
        const rows = Object.entries(days).map(([name, { day }]) => ({
          chain: name,
          last_final_day: day,
          conflicts: [],
        }));
        response.end(JSON.stringify(rows));
        return;
      }
      asked.push(chain);
      const { day, hasRow = true } = days[chain] ?? { day: null };
      response.end(JSON.stringify(hasRow && day ? [rowOf(day)] : []));
    }),
  );
  Object.assign(process.env, {
    [environment.apiUrl]: `${api.url}/v1/`,
    [environment.probeKeyParameter]: '/probe-key',
    [environment.offeredChains]: 'BASE,BSC',
  });
  return { answer: await handler(), asked };
}

const rowOf = (date: string) => ({
  date,
  transaction_count: 0,
  user_transaction_count: 0,
  protocol_transaction_count: 0,
  fees: '0',
  last_block: { number: 7, hash: `0x${'ab'.repeat(32)}` },
  evidence: 'proven',
});
const DAY = '2026-11-20';

test('throws when one chain is wrong, so that the metric counts an error, and logs no key', async () => {
  await expect(probe({ BASE: { day: DAY }, BSC: { day: DAY, hasRow: false } })).rejects.toThrow(
    /^The probe of \S+ failed\. BSC, .*: no row of 2026-11-20, which is final.* See docs\/operate\/runbook\.md#probe-failing\.$/,
  );
  const logged = [console.error, console.info].map((log) => jest.mocked(log).mock.calls);
  expect(JSON.stringify(logged)).not.toContain(KEY);
});

test('says how to issue its key when it has none', async () => {
  parameters.on(GetParameterCommand).rejects(new ParameterNotFound({ message: '', $metadata: {} }));
  await expect(probe({})).rejects.toThrow(/^The probe has no key\. Issue one: .* keys probe /);
});
