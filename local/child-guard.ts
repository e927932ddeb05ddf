import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Sees to it that no child outlives this process. At an ordinary end it kills them itself; for the end that it cannot
 * see coming (kill -9), a small process of its own watches.
 * @returns a function that puts a child under guard
 */
export function startChildGuard(): (child: ChildProcess) => void {
  const script = fileURLToPath(new URL('child-guard-process.ts', import.meta.url));
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
