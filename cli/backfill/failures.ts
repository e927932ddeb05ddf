import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { REPORTS } from '../../lib/backfill/definition.ts';
import type { DeployedService } from '../deployed-service.ts';
import type { MapRun } from './executions.ts';

export interface DayFailure {
  readonly date: UtcDay;
  readonly reason: string;
}

/** The list of result files that Step Functions writes at the end of a map run. */
const manifestSchema = z.object({
  ResultFiles: z.object({ FAILED: z.array(z.object({ Key: z.string() })).default([]) }),
});

const failuresSchema = z.array(
  z.object({
    /** JSON text. */
    Input: z
      .string()
      .transform(parseJson)
      .pipe(z.object({ date: z.string().optional() })),
    Status: z.string().default('FAILED'),
    Error: z.string().optional(),
    Cause: z.string().optional(),
  }),
);

/** The cause that Lambda reports for an error thrown by a function. */
const thrownSchema = z.object({ errorMessage: z.string() });

/**
 * Reads the failed days of a map run from its report, in ascending order.
 * @returns undefined when there is no report: not yet, or not any more
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
    return parseJson((await Body?.transformToString()) ?? '');
  };
  const id = mapRun.arn.slice(mapRun.arn.lastIndexOf(':') + 1);
  try {
    const manifest = manifestSchema.parse(await read(`${REPORTS}/${id}/manifest.json`));
    const files = await Promise.all(manifest.ResultFiles.FAILED.map(({ Key }) => read(Key)));
    return files
      .flatMap((file) => failuresSchema.parse(file))
      .map(({ Input, Status, Error: error, Cause }) => ({
        date: Input.date ?? '',
        reason: reasonOf(Cause) ?? error ?? Status,
      }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

function reasonOf(cause: string | undefined): string | undefined {
  const thrown = thrownSchema.safeParse(parseJson(cause ?? ''));
  return thrown.success ? thrown.data.errorMessage : cause;
}

/** @returns undefined for invalid JSON */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
