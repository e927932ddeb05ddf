import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { REPORTS } from '../../lib/backfill/definition.ts';
import type { DeployedService } from '../deployed-service.ts';
import type { MapRun } from './executions.ts';

export interface DayFailure {
  readonly date: UtcDay;
  readonly reason: string;
}

/** What Step Functions writes when all days of a map run are over. */
const manifestSchema = z.object({
  ResultFiles: z.object({ FAILED: z.array(z.object({ Key: z.string() })).default([]) }),
});

const failuresSchema = z.array(
  z.object({
    /** What the day was started with, as text. */
    Input: z
      .string()
      .transform(parsed)
      .pipe(z.object({ date: z.string() })),
    Status: z.string().default('FAILED'),
    Error: z.string().optional(),
    Cause: z.string().optional(),
  }),
);

/** What Lambda says of an error that a function threw. */
const thrownSchema = z.object({ errorMessage: z.string() });

/**
 * The days of a map run that failed, and why, in the order of days.
 * @returns undefined while there is no report, or no longer
 */
export async function readFailures(
  { access, output }: DeployedService,
  mapRun: MapRun,
): Promise<DayFailure[] | undefined> {
  const client = new S3Client(access);
  const read = async (key: string) => {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: output('BackfillBucketName'), Key: key }),
    );
    return parsed((await Body?.transformToString()) ?? '');
  };
  const id = mapRun.arn.slice(mapRun.arn.lastIndexOf(':') + 1);
  try {
    const manifest = manifestSchema.parse(await read(`${REPORTS}/${id}/manifest.json`));
    const files = await Promise.all(manifest.ResultFiles.FAILED.map(({ Key }) => read(Key)));
    return files
      .flatMap((file) => failuresSchema.parse(file))
      .map(({ Input, Status, Error: error, Cause }) => ({
        date: Input.date,
        reason: reasonOf(Cause) ?? error ?? Status,
      }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

function reasonOf(cause: string | undefined): string | undefined {
  const thrown = thrownSchema.safeParse(parsed(cause ?? ''));
  return thrown.success ? thrown.data.errorMessage : cause;
}

/** @returns undefined for what is no JSON */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
