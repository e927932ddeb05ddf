import { deepEqual, equal } from 'node:assert/strict';
import { APIGatewayClient, DeleteApiKeyCommand } from '@aws-sdk/client-api-gateway';
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { findLeftovers } from '../leftovers.ts';
import { deleteNodes } from '../node-parameters.ts';
import type { Project } from '../project.ts';
import { findStack, resourcesOf, type Stack } from '../stack.ts';
import { parameterOf } from '../stage-settings.ts';
import { BOOTSTRAP_STACK, contextOf } from './deploy.ts';
import type { Trial } from './prepare.ts';

/** Destroys the stage and everything else that the trial created, and lists the rest. */
export async function cleanUp(trial: Trial): Promise<void> {
  const { report, options, stackName, ethereum, bsc } = trial;
  report.section('Removal');
  const stack = await findStack(stackName);
  if (stack) await destroy(trial, stack);
  await report.step('deletes the parameters with the nodes', async () => {
    for (const { name } of [ethereum, bsc]) await deleteNodes(parameterOf(options.stage, name));
  });
  await report.check('no table, function, API, key, state machine or bucket is left', async () =>
    deepEqual(await findLeftovers(stackName), []),
  );
  report.note(`Left on purpose: the stack ${BOOTSTRAP_STACK}, and the bundles in its bucket.`);
}

async function destroy(trial: Trial, { id, outputs }: Stack): Promise<void> {
  const { report, options, project, stackName } = trial;
  const { BackfillBucketName, ExportBucketName, TableName } = outputs;
  // A stack that failed to deploy has no outputs, and neither keys nor reports.
  if (TableName) await report.step('deletes the keys', () => deleteKeys(project));
  if (BackfillBucketName) {
    await report.step('empties the bucket of backfills', () => emptyBucket(BackfillBucketName));
  }
  if (ExportBucketName) {
    await report.step('empties the bucket of exports', () => emptyBucket(ExportBucketName));
  }
  await report.step('destroys the stage', async () => {
    await project.cdk('destroy', '--force', ...contextOf(options.stage));
    equal((await findStack(stackName))?.status, undefined);
  });
  await report.check('CloudFormation has deleted every resource', async () => {
    const left = (await resourcesOf(id)).filter(({ status }) => status !== 'DELETE_COMPLETE');
    deepEqual(left, []);
  });
}

const keysSchema = z.array(z.object({ id: z.string() }));

/** Deletes all keys of the stage: CloudFormation does not know them. */
async function deleteKeys({ commands }: Project): Promise<void> {
  const client = new APIGatewayClient();
  for (const { id } of keysSchema.parse(JSON.parse(await commands(['keys', 'list', '--json'])))) {
    await client.send(new DeleteApiKeyCommand({ apiKey: id }));
  }
}

/** Deletes all versions of all objects of a bucket, page by page: CloudFormation deletes no full bucket. */
async function emptyBucket(Bucket: string): Promise<void> {
  const client = new S3Client();
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket }),
    );
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return;
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  }
}
