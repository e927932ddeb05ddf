import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Item } from '#core/store/table/table.ts';
import type { readRows } from './read-rows.ts';

/* The last release, as one file: rows that it wrote, and its code that reads rows. `node test/support/release/cut.ts` writes the file. */

const FILE = 'test/fixtures/last-release.json.gz';

interface Release {
  readonly version: string;
  readonly rows: readonly Item[];
  /** The bundle of read-rows.ts, a CommonJS module that needs no other. */
  readonly code: string;
}

export function saveRelease(release: Release): void {
  const text = JSON.stringify(release, (_, value) =>
    typeof value === 'bigint' ? { big: `${value}` } : value,
  );
  writeFileSync(FILE, gzipSync(text, { level: 9 }));
}

/** Returns the rows of the last release, and its function that reads rows. */
export function loadRelease(): { readonly rows: readonly Item[]; readonly readRows: typeof readRows } {
  const text = gunzipSync(readFileSync(FILE)).toString();
  const { rows, code }: Release = JSON.parse(text, (_, value) =>
    typeof value?.big === 'string' ? BigInt(value.big) : value,
  );
  const module: { exports: { readRows?: typeof readRows } } = { exports: {} };
  const require = createRequire(join(process.cwd(), FILE));
  new Function('module', 'exports', 'require', code)(module, module.exports, require);
  const { readRows: read } = module.exports;
  if (!read) throw new Error(`${FILE} has no code. Run node test/support/release/cut.ts.`);
  return { rows, readRows: read };
}
