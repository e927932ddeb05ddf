import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import * as z from 'zod';
import { entries } from '../lib/bundle.ts';

/*
 * npm run package: writes the stack as an npm package to a folder, by default dist, for organisations that deploy from a repository of
 * their own (docs/operate/releases.md). It is compiled, because Node strips no types in node_modules, and holds the bundles of the functions.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STACK = 'lib/chain-insights-stack';
/** The oldest version with every function that the compiled stack calls. */
const NODE = 22;

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: z.looseObject({ zod: z.string() }),
  devDependencies: z.looseObject({ 'aws-cdk-lib': z.string(), constructs: z.string() }),
});

const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

const run = (words: readonly string[], cwd = ROOT) =>
  execFileSync(process.execPath, words, { cwd, stdio: ['ignore', 2, 2] });

/** Compiles the stack and all that it imports into one module. */
const compile = (folder: string) =>
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [`${STACK}.ts`],
    // The path of the source, because the stack reads files relative to its own.
    outfile: join(folder, `${STACK}.js`),
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: `node${NODE}`,
    format: 'esm',
    logLevel: 'warning',
  });

/** Writes the declarations of the stack and of what they import. */
function declare(folder: string): void {
  const all = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  const compilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    noEmit: false,
    rootDir: ROOT,
    outDir: all,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = [join(ROOT, `${STACK}.ts`)];
  const config = join(all, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  run([join(dirname(tsc), 'bin/tsc'), '-p', config]);
  for (const file of reachable(join(all, `${STACK}.d.ts`))) {
    const copy = join(folder, relative(all, file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
  rmSync(all, { recursive: true });
}

/** Lists a declaration file and those that it imports, directly or through others. */
function reachable(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import\()['"](\.[^'"]+)\.ts['"]/g,
  ))
    reachable(resolve(dirname(file), `${path}.d.ts`), found);
  return found;
}

function writeManifest(folder: string): void {
  const { name, version, description, license, dependencies, devDependencies } = manifest;
  const compatible = (packages: readonly (keyof typeof devDependencies)[]) =>
    Object.fromEntries(packages.map((peer) => [peer, `^${devDependencies[peer]}`]));
  const content = {
    ...{ name, version, description, license },
    type: 'module',
    engines: { node: `>=${NODE}` },
    exports: { types: `./${STACK}.d.ts`, default: `./${STACK}.js` },
    dependencies: { zod: `^${dependencies.zod}` },
    peerDependencies: compatible(['aws-cdk-lib', 'constructs']),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

const README = `# ${manifest.name}

${manifest.description}. This package holds its AWS CDK stack:

\`\`\`js
import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '${manifest.name}';

new ChainInsightsStack(new App(), 'ChainInsights-prod', { startDate: '2026-01-01' });
\`\`\`

\`docs/operate/settings.md\` in the repository of Chain Insights describes every field of a stage.
`;

const target = resolve(process.argv[2] ?? 'dist');
const folder = join(target, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
compile(folder);
declare(folder);
for (const entry of entries) run(['bin/bundle.ts', entry, join(folder, 'bundles', entry)]);
writeManifest(folder);
writeFileSync(join(folder, 'README.md'), README);
cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
