import { readdirSync, readFileSync } from 'node:fs';

/* The folders of the repository, as they are on disk, so that no test of all code can forget a new one. */

const ignored: readonly string[] = readFileSync('.gitignore', 'utf8').match(/^[^*\n]+(?=\/$)/gm) ?? [];
const folders = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name)
  .filter((name) => !ignored.includes(name));

/** All folders with files of this project, but hidden ones, for a glob: `bench,bin,cli…`. */
export const allFolders = folders.join(',');

/** The folders with code that runs outside of tests, for a glob. */
export const codeFolders = folders.filter((name) => name !== 'docs' && name !== 'test').join(',');
