import { fork } from 'node:child_process';
import { on } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Measured } from './child-process.ts';

export interface Child<Value> extends AsyncDisposable {
  readonly run: () => Promise<Measured<Value>>;
  /** Ends the process, and returns what it wrote to stderr. */
  readonly end: () => Promise<string>;
}

/**
 * Loads a module in a child process, so that measurements do not affect each other by garbage collection or compiled code.
 * @param module exports a function `open`, which gets the options as JSON and returns the work
 * @throws Error with the output of the process when it exits early
 */
export async function openChild<Options, Value>(
  module: URL,
  options: Options,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Child<Value>> {
  const child = fork(
    fileURLToPath(new URL('child-process.ts', import.meta.url)),
    [module.href, JSON.stringify(options)],
    // Structured clones support bigint.
    { env, execArgv: [], serialization: 'advanced', stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
  );
  const stderr = child.stderr ? text(child.stderr) : Promise.resolve('');
  const messages = on(child, 'message', { close: ['close'] });
  const next = async () => {
    const { done, value } = await messages.next();
    if (done) throw new Error(`A process of the benchmark exited early: ${await stderr}`);
    return value[0];
  };
  const end = () => {
    if (child.connected) child.disconnect();
    return stderr;
  };
  await next();
  return {
    run: () => {
      child.send('run');
      return next();
    },
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}
