import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const packages = createRequire(import.meta.url);
const WEB = fileURLToPath(new URL('.', import.meta.url));

const pages = ['index.html', 'docs.html'];
const bundled = ['theme.ts', 'explorer.ts', 'docs.ts', 'explorer.css', 'docs.css'];
/** Taken as they are: bundling Swagger UI, which is a bundle already, would take 1.3 s to save a tenth of it. */
const copied = [
  join(WEB, 'icon.svg'),
  packages.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  packages.resolve('swagger-ui-dist/swagger-ui.css'),
];

/**
 * Writes all that a browser is given into a folder: the pages, the OpenAPI document, and `assets`, whose names have a hash of
 * their content. The pages name their assets as they are called here, in web/.
 */
export function buildSite(folder: string): void {
  // esbuild would take a relative one for one of web/.
  const assets = resolve(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const names = new Map([...bundleInto(assets), ...copied.map((file) => copyInto(assets, file))]);
  for (const page of pages) {
    const html = readFileSync(join(WEB, page), 'utf8');
    writeFileSync(join(folder, page), withHashedNames(html, names));
  }
  copyFileSync(join(WEB, '../docs/openapi.json'), join(folder, 'openapi.json'));
}

/** The hashed name of an asset, by that of its source. */
type Named = readonly [source: string, name: string];

function bundleInto(assets: string): Named[] {
  const { metafile } = buildSync({
    absWorkingDir: WEB,
    entryPoints: bundled,
    outdir: assets,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome123', 'firefox124', 'safari17.5'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  return Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [[entryPoint, basename(path)] as const] : [],
  );
}

function copyInto(assets: string, file: string): Named {
  const type = extname(file);
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
  const name = `${basename(file, type)}-${hash}${type}`;
  copyFileSync(file, join(assets, name));
  return [basename(file), name];
}

/** @throws Error naming an asset that a page asks for and nobody has made */
const withHashedNames = (html: string, names: ReadonlyMap<string, string>): string =>
  html.replaceAll(/"assets\/([^"]+)"/g, (_, source: string) => {
    const name = names.get(source);
    if (!name) throw new Error(`A page asks for ${source}, which web/build.ts does not make`);
    return `"assets/${name}"`;
  });
