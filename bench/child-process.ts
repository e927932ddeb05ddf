import { on } from 'node:events';

/* Loads a module in a child process of child.ts, and does its work on each message: node child-process.ts <module> <options>. */

export interface Measured<Value> {
  readonly value: Value;
  readonly elapsedMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
}

const [module = '', options = ''] = process.argv.slice(2);
const { open } = await import(module);
const run = await open(JSON.parse(options));
process.once('disconnect', () => process.exit());
process.send?.('ready');
for await (const _ of on(process, 'message')) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const value = await run();
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  const measured: Measured<unknown> = { value, elapsedMs, cpuMs: (user + system) / 1_000 };
  process.send?.(measured);
}
