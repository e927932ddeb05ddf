import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';

const PROCESS = fileURLToPath(new URL('bundle-process.ts', import.meta.url));

const resultSchema = z.object({
  /** Return value of the handler. */
  response: z.unknown(),
  /** Elapsed time from before the bundle is loaded until its first response. */
  elapsedMs: z.number(),
  /** CPU time of all threads in that time. */
  cpuMs: z.number(),
});

export interface Invoked extends z.output<typeof resultSchema> {
  readonly stderr: string;
}

/**
 * Invokes the handler of a bundle in a new process.
 * @param environment the whole environment of the process
 * @throws Error with the process's output when the bundle does not load or the handler throws
 */
export async function invokeBundle(
  bundle: string,
  event: object,
  environment: NodeJS.ProcessEnv,
): Promise<Invoked> {
  const command = [PROCESS, bundle, JSON.stringify(event)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env: environment });
  const result = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { ...resultSchema.parse(JSON.parse(result)), stderr };
}
