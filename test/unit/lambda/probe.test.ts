import { createServer } from 'node:http';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { environment } from '#lambda/environment.ts';
import { handler } from '#lambda/probe.ts';
import { serve } from '#test/support/servers/serve.ts';

const parameters = mockClient(SSMClient);
const before = { ...process.env };
const KEY = 'a-key-that-nobody-may-see';

beforeEach(() => {
  parameters
    .reset()
    .on(GetParameterCommand)
    .resolves({ Parameter: { Value: KEY } });
  for (const level of ['info', 'error'] as const) jest.spyOn(console, level).mockImplementation(() => {});
});
afterAll(() => {
  process.env = before;
});

/** Runs the probe of a stage with two chains on an API that gives no rows. */
async function probe(rows: (chain: string) => unknown) {
  await using api = await serve(
    createServer(({ url = '' }, response) => {
      const chain = new URL(url, 'http://localhost').searchParams.get('chain') ?? '';
      response.end(JSON.stringify(rows(chain)));
    }),
  );
  Object.assign(process.env, {
    [environment.apiUrl]: `${api.url}/v1/`,
    [environment.probeKeyParameter]: '/probe-key',
    [environment.maxAgeHours]: '30',
    [environment.probedChains]: JSON.stringify(['BASE', 'BSC']),
  });
  return await handler();
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
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

test('asks for the newest day of every chain', async () => {
  const asked: string[] = [];
  const answer = await probe((chain) => {
    asked.push(chain);
    return [rowOf(yesterday())];
  });
  expect(answer).toEqual({ outcome: 'ok', chains: ['BASE', 'BSC'] });
  expect(asked.toSorted()).toEqual(['BASE', 'BSC']);
});

test('throws when one chain is wrong, so that the metric counts an error, and logs no key', async () => {
  await expect(probe((chain) => (chain === 'BSC' ? [] : [rowOf(yesterday())]))).rejects.toThrow(
    /^The probe failed\. BSC: none of the last 4 days has a row\. See docs\/runbook\.md#probe-failing\.$/,
  );
  const logged = [console.error, console.info].map((log) => jest.mocked(log).mock.calls);
  expect(JSON.stringify(logged)).not.toContain(KEY);
});

test('says how to issue its key when it has none', async () => {
  parameters.on(GetParameterCommand).rejects(new ParameterNotFound({ message: '', $metadata: {} }));
  await expect(probe(() => [])).rejects.toThrow(/^The probe has no key\. Issue one: .* keys probe /);
});
