import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Child extends AsyncDisposable {
  /** The first thing that it sent. */
  readonly message: unknown;
  /** Has it do its work once more. */
  readonly ask: () => Promise<unknown>;
}

/**
 * Starts a script in a process of its own, and waits until it sends something. It ends when it is disposed of or its parent
 * ends, by leaving on `disconnect`.
 * @param options given to it as JSON, in its first argument
 * @throws Error when it ends before it has sent anything
 */
export async function openChild(script: URL, options: unknown): Promise<Child> {
  // As structured clones, for wei.
  const serialization = 'advanced';
  const child = fork(fileURLToPath(script), [JSON.stringify(options)], { serialization });
  return {
    message: await nextMessage(child),
    ask: () => {
      child.send('again');
      return nextMessage(child);
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const wait = new AbortController();
  const ended = once(child, 'exit', wait).then(() => {
    throw new Error('a process of the benchmark ended early; what it said stands above');
  });
  const [message]: unknown[] = await Promise.race([once(child, 'message', wait), ended]);
  wait.abort();
  ended.catch(() => {});
  return message;
}
