import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';
import { startServiceProcess } from '#test/support/processes/service-process.ts';

/** Node 20 from the launcher's point of view. */
const node20 = [
  process.execPath,
  '--import',
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})",
];

/** Older Nodes that this machine has. npm puts the bundled one before them. */
const installed = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'node'))
  .filter((file) => /^v(20|22)\./.test(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? ''));

const oldNodes = [node20, ...installed.slice(0, 1).map((file) => [file])];

const run = ([file, ...options]: readonly string[], ...parameters: string[]) =>
  runNode([...options, ...parameters], { cwd: tmpdir() }, file);

test.each(oldNodes)('%s runs a command from another folder, with its output and exit code', (...node) => {
  const cli = resolve('bin/cli.js');
  for (const parameters of [['--version'], ['--unknown']]) {
    expect(run(node, cli, ...parameters)).toEqual(run([process.execPath], cli, ...parameters));
  }
  expect(run(node, cli, '--version')).toMatchObject({ status: 0, stderr: '' });
});

test.each(oldNodes)('%s runs the local service and forwards SIGTERM to it', async (...node) => {
  using service = startServiceProcess({}, [...node, 'bin/local.js']);
  const url = await service.ready();
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('a bundled Node that cannot run, as without glibc, is explained', () => {
  const folder = createFolder();
  cpSync('bin', folder, { recursive: true });
  const bundled = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  mkdirSync(dirname(bundled), { recursive: true });
  // The loader that it names is not there, so that spawning it is ENOENT although the file exists.
  writeFileSync(bundled, '#!/lib/ld-of-glibc.so\n', { mode: 0o755 });
  const { status, stderr } = run(node20, join(folder, 'cli.js'), '--version');
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^The bundled Node 24 did not start .* ENOENT\)/),
  ]);
  expect(stderr).toContain('glibc');
});

test('without the bundled Node, an old Node prints which one to install', () => {
  const folder = createFolder();
  cpSync('bin', folder, { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  expect(run(node20, join(folder, 'cli.js'), '--version')).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'Node 24 is required, and this is 20.0.0. Run npm ci, which installs it on Linux and Windows, or install it yourself.\n',
  });
});
