import { type SpawnSyncOptions, spawnSync } from 'node:child_process';

/** Runs a program with Node to its end. @param file the Node, by default that of the tests */
export function runNode(
  parameters: readonly string[],
  options: SpawnSyncOptions = {},
  file = process.execPath,
) {
  const { status, stdout, stderr } = spawnSync(file, parameters, { ...options, encoding: 'utf8' });
  return { status, stdout, stderr };
}
