import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

/* Rows that are added by docs/develop/add-a-chain.md to a copy of the repository pass its tests unchanged. */

const ROWS = 'core/chains/optional-chains.ts';

/** The tests of what derives from rows. All others read no row, or one by its name. */
const TESTS = [
  'test/unit/core/chains/',
  'test/unit/web/(build|model/)',
  'test/unit/lambda/api/query',
  'test/unit/local/settings',
  'test/unit/cli/(doctor/(report|targets)|history/query)',
  'test/unit/lib/(bundle|config|ingest/ingest)',
  'test/whole/web/colors',
  'test/whole/docs/(words|language|links|chain-limits)',
];

const [, row = ''] = /```ts\n(.*?)^ *```/ms.exec(readFileSync('docs/develop/add-a-chain.md', 'utf8')) ?? [];

/** Returns the row of the guide for another chain. */
const rowOf = (name: string, id: number, coin: string, rules: string) =>
  row
    .replace('METAL:', `${name}:`)
    .replace('Metal L2', `Chain ${id}`)
    .replace('#2f6f4f', `#2f6f5${id % 10}`)
    .replace('#7fd8a8', `#7fd8b${id % 10}`)
    .replace(/id: .*,/, `id: ${id},`)
    .replace(/coin: .*,/, `coin: '${coin}',`)
    .replace(/rules: .*,/, `rules: ${rules},`)
    .replaceAll('metall2', `chain-${id}`);

const added = [
  row.replace('METAL_TIMES', 'WORLD_CHAIN_TIMES'),
  rowOf('XL', 999_999_001, 'XL', "{ family: 'ethereum', blobSchedule: [] }"),
  rowOf(
    'SAMPLE_CHAIN_WITH_A_LONG_NAME',
    999_999_002,
    'APE',
    "{ family: 'arbitrum', nitroBlock: 0, lastArbosVersion: LAST_ARBOS_VERSION }",
  ),
];

const copy = createFolder();

beforeAll(() => {
  const ignored = readFileSync('.gitignore', 'utf8').match(/^[^*\n]+(?=\/$)/gm) ?? [];
  const left = new Set(['.git', ...ignored].map((name) => resolve(name)));
  cpSync('.', copy, { recursive: true, filter: (path) => !left.has(resolve(path)) });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const file = join(copy, ROWS);
  const rows = readFileSync(file, 'utf8');
  writeFileSync(file, rows.replace('} as const satisfies', `${added.join('')}$&`));
});

const run = (...parameters: string[]) => {
  const { status, stdout, stderr } = runNode(parameters, { cwd: copy });
  return status === 0 ? 'passed' : `${stdout}${stderr}`;
};

test('rows of three families compile, what derives from them is generated, and the tests pass', () => {
  expect(run('bin/generate.ts')).toBe('passed');
  expect(readFileSync(join(copy, 'docs/chains.md'), 'utf8')).toContain('`SAMPLE_CHAIN_WITH_A_LONG_NAME`');
  expect(run('node_modules/typescript/bin/tsc')).toBe('passed');
  expect(run('node_modules/jest/bin/jest.js', ...TESTS, '--testPathIgnorePatterns=[.]slow[.]test')).toBe(
    'passed',
  );
}, 300_000);
