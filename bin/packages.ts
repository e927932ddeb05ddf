import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import * as z from 'zod';
import { entries } from '../lib/bundle.ts';

/*
 * npm run packages [folder]: builds each file that may be published, by default into dist: the stack, the TypeScript client and the MCP
 * server for npm, and the Python client as a wheel. It prints their names.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STACK = 'lib/chain-insights-stack';
/** The oldest version with every function that the compiled stack calls. */
const NODE = 22;
const MCP = 'chain-insights-mcp';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: z.looseObject({ zod: z.string() }),
  devDependencies: z.looseObject({ 'aws-cdk-lib': z.string(), constructs: z.string() }),
});

const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const { name, version, description, license } = manifest;

const target = resolve(process.argv[2] ?? 'dist');
mkdirSync(target, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'chain-insights-packages-'));

const run = (words: readonly string[]) =>
  execFileSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 2, 2] });

/** Packs a folder into the target. npm is a script on Windows. */
const pack = (folder: string) =>
  execFileSync('npm', ['pack', '--silent', folder, '--pack-destination', target], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

/** Packs a folder that was built, with its license and a manifest. */
function packBuilt(folder: string, content: object): void {
  const fields = { version, license, type: 'module', engines: { node: `>=${NODE}` }, ...content };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  pack(folder);
}

const bundle = (entry: string, outfile: string, options: BuildOptions) =>
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: `node${NODE}`,
    format: 'esm',
    logLevel: 'warning',
    ...options,
  });

const README = `# ${name}

${description}. This package holds its AWS CDK stack:

\`\`\`js
import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '${name}';

new ChainInsightsStack(new App(), 'ChainInsights-prod', { startDate: '2026-01-01' });
\`\`\`

\`docs/operate/settings.md\` in the repository of Chain Insights describes every field of a stage.
`;

/**
 * Packs the stack for organisations that deploy from a repository of their own (docs/operate/releases.md). It is compiled, because Node
 * strips no types in node_modules, and holds the bundles of the functions.
 */
function packStack(): void {
  const folder = join(scratch, 'package');
  // The path of the source, because the stack reads files relative to its own.
  bundle(`${STACK}.ts`, join(folder, `${STACK}.js`), { packages: 'external' });
  declare(folder);
  for (const entry of entries) run(['bin/bundle.ts', entry, join(folder, 'bundles', entry)]);
  writeFileSync(join(folder, 'README.md'), README);
  const { dependencies, devDependencies } = manifest;
  const peers = (['aws-cdk-lib', 'constructs'] as const).map((peer) => [peer, `^${devDependencies[peer]}`]);
  packBuilt(folder, {
    name,
    description,
    exports: { types: `./${STACK}.d.ts`, default: `./${STACK}.js` },
    dependencies: { zod: `^${dependencies.zod}` },
    peerDependencies: Object.fromEntries(peers),
  });
}

/** Writes the declarations of the stack and of what they import. */
function declare(folder: string): void {
  const all = join(scratch, 'declarations');
  mkdirSync(all);
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
  for (const file of reachable(join(all, `${STACK}.d.ts`))) cpSync(file, join(folder, relative(all, file)));
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

/** Packs the MCP server with all that it imports, so that the package needs no other. */
function packMcp(): void {
  const folder = join(scratch, MCP);
  bundle('bin/packed-mcp.ts', join(folder, 'mcp.js'), {
    minify: true,
    // Modules of CommonJS require those of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  packBuilt(folder, {
    name: MCP,
    description: `MCP server of Chain Insights. ${description}`,
    bin: { [MCP]: 'mcp.js' },
  });
}

/** Builds the wheel with pip. Where Python has setuptools and wheel, nothing is downloaded. */
function buildWheel(): void {
  const python = (...words: string[]) => spawnSync('python3', words, { cwd: scratch, encoding: 'utf8' });
  if (python('-m', 'pip', '--version').status !== 0) {
    console.error('No wheel was built: python3 with pip is not installed.');
    return;
  }
  cpSync(join(ROOT, 'clients/python'), join(scratch, 'python'), { recursive: true });
  const isOffline = python('-c', 'import setuptools, wheel').status === 0;
  const options = ['--no-deps', '--quiet', ...(isOffline ? ['--no-build-isolation'] : [])];
  const { status, stderr } = python('-m', 'pip', 'wheel', ...options, '--wheel-dir', target, './python');
  if (status !== 0) console.error(`No wheel was built: ${stderr.trim()}`);
}

try {
  packStack();
  pack('./clients/typescript');
  packMcp();
  buildWheel();
} finally {
  rmSync(scratch, { recursive: true });
}
console.info(
  readdirSync(target)
    .filter((name) => /\.(tgz|whl)$/.test(name))
    .join('\n'),
);
