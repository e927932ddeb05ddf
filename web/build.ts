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
/** Copied unchanged. Swagger UI is already a bundle: bundling it again takes 1.3 s and saves a tenth of its size. */
const copied = [
  join(WEB, 'icon.svg'),
  packages.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  packages.resolve('swagger-ui-dist/swagger-ui.css'),
];

/**
 * Builds the site into a folder: the pages, the OpenAPI document, and `assets`, whose names contain a hash of their content.
 * The sources of the pages refer to assets by their names in web/.
 */
export function buildSite(folder: string): void {
  // esbuild resolves a relative path against web/.
  const assets = resolve(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const names = new Map([...bundleInto(assets), ...copied.map((file) => copyInto(assets, file))]);
  for (const page of pages) {
    const html = readFileSync(join(WEB, page), 'utf8');
    writeFileSync(join(folder, page), replaceNames(html, names));
  }
  copyFileSync(join(WEB, '../docs/openapi.json'), join(folder, 'openapi.json'));
}

type HashedName = readonly [source: string, name: string];

function bundleInto(assets: string): HashedName[] {
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

function copyInto(assets: string, file: string): HashedName {
  const type = extname(file);
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
  const name = `${basename(file, type)}-${hash}${type}`;
  copyFileSync(file, join(assets, name));
  return [basename(file), name];
}

/** @throws Error when a page refers to an asset that was not built */
const replaceNames = (html: string, names: ReadonlyMap<string, string>): string =>
  html.replaceAll(/"assets\/([^"]+)"/g, (_, source: string) => {
    const name = names.get(source);
    if (!name)
      throw new Error(`A page refers to assets/${source}, which is not built. Add it to web/build.ts.`);
    return `"assets/${name}"`;
  });
