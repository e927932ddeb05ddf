import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Returns a function that registers a child. On exit, this process kills them; after a SIGKILL, a guard process does. */
export function startChildGuard(): (child: ChildProcess) => void {
  const script = fileURLToPath(import.meta.url);
  const guard = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'] });
  const children: ChildProcess[] = [guard];
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  return (child) => {
    children.push(child);
    guard.stdin.write(`${child.pid}\n`);
  };
}

/** Kills the processes whose IDs stand on the lines of stdin, once it ends, which means that the parent has ended. */
async function killAtEnd(): Promise<void> {
  // Ctrl-C signals the whole process group, but the guard must exit last.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  let pids = '';
  for await (const chunk of process.stdin) pids += chunk;
  for (const pid of pids.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

if (import.meta.main) void killAtEnd();
