import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeFolders } from './support/source-folders.ts';

const files = globSync(`{${codeFolders}}/**/*.{ts,tsx,js}`).filter((file) => !file.endsWith('.d.ts'));

/** The folders that each folder may import from, besides itself. `core/*.ts` are the files directly in core/. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'core/*.ts': [],
  'core/figures': [],
  'core/chains': ['core/figures'],
  'core/settings': ['core/figures', 'core/chains'],
  'core/proof': ['core/figures', 'core/chains'],
  'core/finality': ['core/figures', 'core/chains', 'core/proof'],
  'core/rpc': ['core/*.ts', 'core/figures', 'core/chains', 'core/proof'],
  'core/store': ['core/*.ts', 'core/figures', 'core/chains'],
  'core/rows': ['core/figures', 'core/chains', 'core/store'],
  'core/backup': ['core/*.ts', 'core/figures', 'core/chains', 'core/store'],
  'core/events': ['core/store', 'core/rows'],
  'core/anchor': [
    'core/*.ts',
    'core/figures',
    'core/chains',
    'core/settings',
    'core/proof',
    'core/finality',
    'core/rpc',
    'core/store',
  ],
  'core/blocks': ['core/*.ts', 'core/figures', 'core/chains', 'core/proof', 'core/rpc', 'core/anchor'],
  'core/dollars': ['core/figures', 'core/chains', 'core/proof', 'core/rpc', 'core/anchor'],
  'core/days': [
    'core/*.ts',
    'core/figures',
    'core/chains',
    'core/proof',
    'core/rpc',
    'core/store',
    'core/anchor',
    'core/blocks',
    'core/dollars',
    'core/transitions',
  ],
  'core/transitions': ['core/figures', 'core/store'],
  'core/ingest': [
    'core/*.ts',
    'core/figures',
    'core/chains',
    'core/settings',
    'core/rpc',
    'core/store',
    'core/events',
    'core/anchor',
    'core/blocks',
    'core/days',
    'core/transitions',
  ],
  clients: [],
  lambda: ['core'],
  lib: ['core', 'lambda'],
  web: ['core/figures', 'core/chains', 'core/proof', 'clients'],
  openapi: ['core', 'lambda'],
  local: ['core', 'lambda', 'web'],
  cli: ['core', 'lambda', 'lib', 'local', 'clients'],
  bench: ['core', 'lambda', 'lib', 'test/support'],
  bin: ['core', 'lambda', 'lib', 'web', 'openapi', 'local', 'cli'],
};

/** Returns the innermost folder of the table that a file is in. */
const folderOf = (file: string): string =>
  Object.keys(layers).findLast((folder) => `${file}/`.startsWith(`${folder}/`)) ?? `${dirname(file)}/*.ts`;

/** Imports of a file from this repository, including type imports and dynamic ones. `#` is its root. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'([.#][^']+[jt]sx?)'/g)].map(
    ([, path = '']) => (path.startsWith('#') ? path.slice(1) : join(dirname(file), path)),
  );

/** Finds a circle by depth-first search. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}

test('no file imports itself, directly or through others', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(findCircle(new Map(files.map((file) => [file, importsOf(file)])))).toBeUndefined();
});

test('no folder of core/ imports itself, directly or through others', () => {
  const core = files.filter((file) => file.startsWith('core/'));
  const graph = Map.groupBy(core, (file) => dirname(file));
  const foldersOf = (folder: string, members: readonly string[]) =>
    members
      .flatMap((file) => importsOf(file).map((path) => dirname(path)))
      .filter((other) => other !== folder);
  expect(
    findCircle(new Map([...graph].map(([folder, members]) => [folder, foldersOf(folder, members)]))),
  ).toBeUndefined();
});

test('no file outside test/ imports one of its files, but for the benchmarks', () => {
  const shipped = files.filter((file) => !file.startsWith('bench/'));
  const intruders = shipped.filter((file) => importsOf(file).some((path) => path.startsWith('test/')));
  expect(intruders).toEqual([]);
});

test('every file imports from the folders below its own alone', () => {
  const upwards = files.flatMap((file) => {
    const allowed = [folderOf(file), ...(layers[folderOf(file)] ?? [])];
    return importsOf(file)
      .filter((path) => !allowed.some((folder) => `${folderOf(path)}/`.startsWith(`${folder}/`)))
      .map((path) => `${file} imports ${path}`);
  });
  expect(upwards).toEqual([]);
});

test('each file in test/unit tests the source of the same path', () => {
  const strays = globSync('test/unit/**/*.test.ts').filter((file) => {
    const source = file.replace(/^test\/unit\/(.*?)(\.slow)?\.test\.ts$/, '$1');
    return globSync(`${source}.{ts,tsx,js,mjs}`).length !== 1;
  });
  expect(strays).toEqual([]);
});
