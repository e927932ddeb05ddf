import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Ensures that no child outlives this process. On exit, this process kills them; after a SIGKILL, a small guard process does.
 * @returns a function that registers a child
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
