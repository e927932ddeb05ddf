import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { sdkStreamMixin } from '@smithy/core/serde';
import { mockClient } from 'aws-sdk-client-mock';
import { encodeManifest } from '#core/backup/export-files.ts';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { environment } from '#lambda/environment.ts';
import { handler } from '#lambda/probe.ts';
import { serve } from '#test/support/servers/serve.ts';

const parameters = mockClient(SSMClient);
const s3 = mockClient(S3Client);
const KEY = 'a-key-that-nobody-may-see';

beforeEach(() => {
  s3.reset()
    .on(GetObjectCommand)
    .rejects(new NoSuchKey({ message: '', $metadata: {} }));
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
          days_by_evidence: { proven: day ? 1 : 0, checked: 0 },
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
    [environment.exportBucket]: 'exports',
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

test('throws when the table has lost the days of a chain that an export has', async () => {
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  const chains = [{ chain: 'BSC' as const, sha256: '', bytes: 1, items: 5, days: 4 }];
  const manifest = { format: 1 as const, exported_at: `${DAY}T02:30:00Z`, software_version: '0', chains };
  const Body = sdkStreamMixin(Readable.from([encodeManifest(manifest)]));
  s3.on(GetObjectCommand, { Bucket: 'exports', Key: `exports/${yesterday}/manifest.json` }).resolves({
    Body,
  });
  await expect(probe({ BASE: { day: DAY }, BSC: { day: null } })).rejects.toThrow(
    `BSC: the table has 0 final days, and the export of ${yesterday} has 4`,
  );
});

test('succeeds in a first deployment, which has no day and no export', async () => {
  const { answer, asked } = await probe({ BASE: { day: null }, BSC: { day: null } });
  expect([answer.outcome, asked]).toEqual(['ok', []]);
});

test('logs that it may not read the bucket, and succeeds, because the API works without it', async () => {
  s3.on(GetObjectCommand).rejects(new Error('AccessDenied'));
  expect((await probe({ BASE: { day: DAY }, BSC: { day: null } })).answer.outcome).toBe('ok');
  expect(console.error).toHaveBeenCalledWith(
    expect.objectContaining({ outcome: 'not compared with an export' }),
  );
});
