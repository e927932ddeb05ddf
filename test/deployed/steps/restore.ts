import { deepEqual } from 'node:assert/strict';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { folderOf } from '#core/backup/export-files.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore, queryItems } from '#core/store/table/table.ts';
import { eventually } from '../eventually.ts';
import type { KnownChain } from '../known-chain.ts';
import { outputOf, type Stack, stackOf } from '../stack.ts';
import { type Api, responsesOf } from './api-calls.ts';
import type { Trial } from './prepare.ts';

/** Query functions cache for a second. */
const CACHED = { limitMs: 15_000, pauseMs: 500 };

/** Exports the table with the deployed function, empties it, and restores it with the command line. */
export async function tryRestore(trial: Trial, api: Api): Promise<void> {
  const { report, target, project, ethereum, bsc, stackName } = trial;
  const stack = await stackOf(stackName);
  const chains = [ethereum, bsc];
  const before = await responsesOf(api, chains);
  const place = await report.step('the export function writes every day', () => exportNow(stack, chains));
  await report.step('empties the table', () => emptyTable(outputOf(stack, 'TableName'), chains));
  await report.step('restores the days of both chains', async () => {
    // In an account, a schedule may read a day again meanwhile.
    const merge = target.isEmulator ? [] : ['--merge'];
    await project.commands(['import', place, '--chain', ...chains.map(({ name }) => name), ...merge]);
  });
  await report.check('the restored stage returns the same bytes', () =>
    eventually(async () => deepEqual(await responsesOf(api, chains), before), CACHED),
  );
}

const manifestSchema = z.object({
  exported_at: z.string(),
  chains: z.array(z.object({ chain: z.string(), days: z.number() })),
});

/** Invokes the export. Returns its place. */
async function exportNow(stack: Stack, chains: readonly KnownChain[]): Promise<string> {
  const command = new InvokeCommand({ FunctionName: outputOf(stack, 'ExportFunctionName') });
  const { FunctionError, Payload } = await new LambdaClient().send(command);
  const text = Payload?.transformToString() ?? '';
  if (FunctionError) throw new Error(`The export threw: ${text}`);
  const manifest = manifestSchema.parse(JSON.parse(text));
  for (const { name, days } of chains) {
    const exported = manifest.chains.find(({ chain }) => chain === name);
    // The newest days may become final, or a backfill may be skipped.
    if (!exported || exported.days === 0 || exported.days > days.length) {
      throw new Error(`The export has ${exported?.days ?? 0} of ${days.length} days of ${name}.`);
    }
  }
  return `s3://${outputOf(stack, 'ExportBucketName')}/${folderOf(manifest.exported_at.slice(0, 10))}`;
}

/** Deletes every item of some chains. */
async function emptyTable(tableName: string, chains: readonly KnownChain[]): Promise<void> {
  for (const { name } of chains) {
    const { table, chain } = chainStore(createDocumentTable(tableName), name);
    const items = await queryItems(table, {
      KeyConditionExpression: 'chain = :chain',
      ExpressionAttributeValues: { ':chain': chain },
    });
    for (const { date } of items) await table.deleteItem({ chain, date });
  }
}
