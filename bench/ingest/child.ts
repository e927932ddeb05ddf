import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Child extends AsyncDisposable {
  /** Its first message. */
  readonly message: unknown;
  /** Makes it repeat its work, and returns its next message. */
  readonly repeat: () => Promise<unknown>;
}

/**
 * Starts a script in a child process and waits for its first message. The script must exit on `disconnect`: when the child is
 * disposed of, or its parent ends.
 * @param options passed as JSON in the first argument
 * @throws Error when the child exits before it sends a message
 */
export async function openChild(script: URL, options: unknown): Promise<Child> {
  // Structured clones support bigint.
  const serialization = 'advanced';
  const child = fork(fileURLToPath(script), [JSON.stringify(options)], { serialization });
  return {
    message: await nextMessage(child),
    repeat: () => {
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
    throw new Error('A benchmark process exited early; its output is above.');
  });
  const [message]: unknown[] = await Promise.race([once(child, 'message', wait), ended]);
  wait.abort();
  ended.catch(() => {});
  return message;
}
