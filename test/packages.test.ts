import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Follows static and dynamic imports from an entry point. Returns each package with the files that import it. */
async function packagesOf(entry: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: 'out.mjs',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.entries(metafile.inputs).flatMap(([file, { imports: all }]) =>
    all
      .filter(({ external, path }) => external && !path.startsWith('node:'))
      .map(({ path }) => ({ file, path })),
  );
  const nameOf = (path: string) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
  const files = Map.groupBy(imports, ({ path }) => nameOf(path));
  return new Map([...files].map(([name, list]) => [name, list.map(({ file }) => file)]));
}

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

test('commands import devDependencies only to open the service on this machine', async () => {
  const packages = await packagesOf('cli/main.ts');
  expect([...packages.keys()]).toEqual(expect.arrayContaining(['commander', 'zod']));
  const undeclared = [...packages].filter(([name]) => !(name in dependencies));
  for (const [name, files] of undeclared) {
    expect(devDependencies).toHaveProperty([name]);
    expect(files.filter((file) => !file.startsWith('local/'))).toEqual([]);
  }
  expect([...packages.keys()].filter((name) => /cdk|constructs/.test(name))).toEqual([]);
});

test('CONTRIBUTING names the purpose of each dependency, and of no other package', () => {
  const [runtime = '', development = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(
    '| For development ',
  );
  const namesIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) =>
        [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      );
  expect(namesIn(runtime).toSorted()).toEqual(Object.keys(dependencies).toSorted());
  expect(namesIn(development).toSorted()).toEqual(Object.keys(devDependencies).toSorted());
});
