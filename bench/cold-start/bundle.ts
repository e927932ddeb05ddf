import { createRequire } from 'node:module';
import { openChild } from '../child.ts';
import type { Measured } from '../child-process.ts';

interface Invocation {
  readonly bundle: string;
  readonly event: object;
}

/** Prepares to load a bundle as Lambda does, with require, and to call its handler once. */
export async function open({ bundle, event }: Invocation) {
  const require = createRequire(import.meta.url);
  return async (): Promise<unknown> =>
    require(bundle).handler(event, { getRemainingTimeInMillis: () => 60_000 });
}

export interface Invoked extends Measured<unknown> {
  readonly stderr: string;
}

/** Invokes the handler of a bundle in a new process, measured from before it is loaded. @throws Error when it does not load, or fails */
export async function invokeBundle(bundle: string, event: object, environment: NodeJS.ProcessEnv) {
  const script = new URL('bundle.ts', import.meta.url);
  await using child = await openChild<Invocation, unknown>(script, { bundle, event }, environment);
  return { ...(await child.run()), stderr: await child.end() };
}
