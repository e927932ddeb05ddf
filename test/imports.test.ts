import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = globSync('{bench,bin,cli,core,lambda,lib,local,openapi,web}/**/*.{ts,tsx,js}').filter(
  (file) => !file.endsWith('.d.ts'),
);

/** Relative imports of a file, including type imports and dynamic ones. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
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

test('no file outside test/ imports one of its files', () => {
  const intruders = files.filter((file) => importsOf(file).some((path) => path.startsWith('test/')));
  expect(intruders).toEqual([]);
});
