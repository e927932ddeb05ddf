import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { readDocument } from './reference/document.ts';
import { referenceParts } from './reference/page.ts';

const WEB = fileURLToPath(new URL('.', import.meta.url));

const entryPoints = ['theme.ts', 'explorer.tsx', 'reference/docs.ts', 'explorer.css', 'reference/docs.css'];

const bundled: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022', 'chrome123', 'firefox124', 'safari17.5'],
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The proof on the open page is the code of core/proof, which is written for Node.
  inject: ['open/buffer.ts'],
};

/** Elements that a browser must not translate: code, and controls with what they show. */
const UNTRANSLATED = /<(?:button|code|output|pre|select|summary)\b/g;

/**
 * Builds the site into a folder: the pages, the OpenAPI document, and `assets`, whose names contain a hash of their content.
 * The sources of the pages refer to assets by their names in web/.
 * @param scripts of web/ that each page runs first, in addition to its own
 * @param banner text at the top of each page; none when empty
 */
export function buildSite(folder: string, scripts: readonly string[] = [], banner = ''): void {
  const openapi = join(WEB, '../docs/openapi.json');
  const parts = referenceParts(readDocument(readFileSync(openapi, 'utf8')));
  // esbuild resolves a relative path against web/.
  const assets = resolve(folder, 'assets');
  const names = new Map(buildAssets(assets, [...entryPoints, ...scripts]));
  // A request fewer.
  const icon = `data:image/svg+xml;base64,${readFileSync(join(WEB, 'icon.svg'), 'base64')}`;
  const tags = scripts.map((script) => `<script src="assets/${basename(script)}"></script>`).join('');
  const aside = banner && `<aside class="banner" aria-label="Sample data">${banner}</aside>`;
  for (const page of ['index.html', 'embed.html', 'missing.html', 'reference/docs.html']) {
    const html = readFileSync(join(WEB, page), 'utf8');
    writeFileSync(
      join(folder, basename(page)),
      replaceNames(
        html
          .replaceAll('assets/icon.svg', () => icon)
          .replace(/<!-- (contents|sections) -->/g, (_, name: keyof typeof parts) => parts[name])
          .replaceAll(UNTRANSLATED, (start) => `${start} translate="no"`)
          .replace('</head>', () => `${tags}</head>`)
          .replace(/<body[^>]*>/, (body) => body + aside),
        names,
      ),
    );
  }
  copyFileSync(openapi, join(folder, 'openapi.json'));
  buildClients(join(folder, 'clients'));
}

/** Programs that a holder of a key downloads: the clients, each in one file, and the one that recomputes a day. */
const programs = ['clients/python/chain_insights.py', 'docs/clients/recompute.py'];

function buildClients(folder: string): void {
  mkdirSync(folder);
  for (const program of programs) copyFileSync(join(WEB, '..', program), join(folder, basename(program)));
  buildSync({
    entryPoints: [join(WEB, '../clients/typescript/src/index.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    outfile: resolve(folder, 'chain-insights-client.mjs'),
    logLevel: 'error',
  });
}

function buildAssets(assets: string, sources: readonly string[]): [source: string, name: string][] {
  const { outputs } = buildSync({
    ...bundled,
    entryPoints: [...sources],
    absWorkingDir: WEB,
    outdir: assets,
    entryNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'error',
  }).metafile;
  return Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [[basename(entryPoint), basename(path)]] : [],
  );
}

/** @throws Error when a page refers to an asset that was not built */
const replaceNames = (html: string, names: ReadonlyMap<string, string>): string =>
  html.replaceAll(/"assets\/([^"]+)"/g, (_, source: string) => {
    const name = names.get(source);
    if (!name)
      throw new Error(`A page refers to assets/${source}, which is not built. Add it to web/build.ts.`);
    return `"assets/${name}"`;
  });
