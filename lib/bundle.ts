import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

interface Options {
  /** Bundles the module of event streams, which the S3 client loads. */
  readonly needsEventStreams?: boolean;
}

/** Files of lambda/ that export `handler`. Each becomes the bundle of a function. */
export const entries = {
  'get-chains': {},
  'get-days': {},
  'get-distribution': {},
  'get-fees': {},
  'get-transaction-count': {},
  export: { needsEventStreams: true },
  ingest: { needsEventStreams: true },
  pages: {},
  probe: {},
} as const satisfies Readonly<Record<string, Options>>;

export type Entry = keyof typeof entries;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const bundleEntry = (entry: Entry, folder: string): void =>
  bundleFile(`lambda/${entry}.ts`, folder, entries[entry]);

/**
 * Bundles a module of the repository into one small CommonJS file, `index.js`. Each option states the cost of omitting it for a query
 * function: CPU time from import to first response on Node 24, and bundle size. With all options: 78 ms, 238 KB; as an ES module: 96 ms.
 */
export function bundleFile(file: string, folder: string, { needsEventStreams = false }: Options = {}): void {
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile: `${folder}/index.js`,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
    // 77 ms, 522 KB.
    minify: true,
    // 114 ms, 471 KB: esbuild removes unused exports only from ES modules.
    mainFields: ['module', 'main'],
    // 82 ms, 257 KB: only operations with event streams load this module. The rest of the pinned SDK is bundled, so that the tested
    // version is the deployed one.
    external: needsEventStreams ? [] : ['@smithy/core/event-streams'],
    // 90 ms: the first import() of a process starts the ES module loader; require() does not.
    supported: { 'dynamic-import': false },
    // 93 ms, 377 KB: credential providers of the SDK that do not apply to Lambda.
    alias: { '@aws-sdk/credential-provider-node': './lambda/credentials.ts' },
  });
}
