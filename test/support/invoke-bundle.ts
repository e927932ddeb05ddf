import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';

const PROCESS = fileURLToPath(new URL('bundle-process.ts', import.meta.url));

const resultSchema = z.object({
  /** What the handler returned. */
  answer: z.unknown(),
  /** From before the bundle is loaded until it has answered. */
  waitedMs: z.number(),
  /** The same in the time of processors, with all threads. */
  processorMs: z.number(),
});

export interface Invoked extends z.output<typeof resultSchema> {
  /** What was logged as an error. */
  readonly errors: string;
}

/**
 * Calls the handler of a bundle in a fresh process.
 * @param environment all that it is told
 * @throws Error with what it said when it does not load or the handler throws
 */
export async function invokeBundle(
  bundle: string,
  event: object,
  environment: NodeJS.ProcessEnv,
): Promise<Invoked> {
  const command = [PROCESS, bundle, JSON.stringify(event)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env: environment });
  const result = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { ...resultSchema.parse(JSON.parse(result)), errors: stderr };
}
