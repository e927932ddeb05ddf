import { fileURLToPath } from 'node:url';
import { type BuildResult, buildSync, type Metafile } from 'esbuild';
import { SOFTWARE_VERSION } from '../core/software-version.ts';

/** Files of lambda/ that export `handler`. Each becomes the bundle of a function. */
export const entries = [
  'export',
  'get-details',
  'get-fees',
  'get-today',
  'get-transaction-count',
  'ingest',
  'pages',
  'probe',
] as const;

export type Entry = (typeof entries)[number];

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A module that only operations with event streams need. The S3 client imports it when it starts, the DynamoDB client never. */
const EVENT_STREAMS = '@smithy/core/event-streams';

export const bundleEntry = (entry: Entry, folder: string): void => bundleFile(`lambda/${entry}.ts`, folder);

/** Bundles a module of the repository into one small CommonJS file, `index.js`, which needs no other module. */
export function bundleFile(file: string, folder: string): void {
  // 82 ms, 257 KB.
  const { metafile } = build(file, folder, [EVENT_STREAMS]);
  if (importsAtStart(metafile, EVENT_STREAMS)) build(file, folder, []);
}

const importsAtStart = ({ inputs }: Metafile, module: string): boolean =>
  Object.values(inputs).some(({ imports }) =>
    imports.some(({ path, kind }) => path === module && kind !== 'dynamic-import'),
  );

/** Options state the cost of omitting them: CPU time to the first response on Node 24, and size. With all: 78 ms, 238 KB; as ES module: 96 ms. */
const build = (file: string, folder: string, external: string[]): BuildResult<{ metafile: true }> =>
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile: `${folder}/index.js`,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
    // 77 ms, 522 KB.
    minify: true,
    // 114 ms, 471 KB: esbuild removes unused exports only from ES modules.
    mainFields: ['module', 'main'],
    // The rest of the pinned SDK is bundled, so that the tested version is the deployed one.
    external,
    // 90 ms: the first import() of a process starts the ES module loader; require() does not.
    supported: { 'dynamic-import': false },
    define: { BUNDLED_VERSION: JSON.stringify(SOFTWARE_VERSION) },
    // 93 ms, 377 KB: credential providers of the SDK that do not apply to Lambda.
    alias: { '@aws-sdk/credential-provider-node': './lambda/credentials.ts' },
  });
