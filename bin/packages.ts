import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/*
 * npm run packages [folder]: builds each file that may be published, by default into dist: the stack, the TypeScript client and the MCP
 * server for npm, and the Python client as a wheel. It prints their names.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const MCP = 'chain-insights-mcp';

const target = resolve(process.argv[2] ?? 'dist');
mkdirSync(target, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'chain-insights-packages-'));

/** Packs a folder into the target. npm is a script on Windows. */
const pack = (folder: string) =>
  execFileSync('npm', ['pack', '--silent', folder, '--pack-destination', target], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

function packStack(): void {
  execFileSync(process.execPath, ['bin/package.ts', scratch], { cwd: ROOT, stdio: 'inherit' });
  pack(join(scratch, 'package'));
}

/** Bundles the server with all that it imports, so that the package needs no other. */
function packMcp(): void {
  const folder = join(scratch, MCP);
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['bin/packed-mcp.ts'],
    outfile: join(folder, 'mcp.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    minify: true,
    logLevel: 'warning',
    // Modules of CommonJS require those of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  const manifest = {
    name: MCP,
    version,
    description: `MCP server of Chain Insights. ${description}`,
    license,
  };
  const more = { type: 'module', bin: { [MCP]: 'mcp.js' }, engines: { node: '>=22' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...more }, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  pack(folder);
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
