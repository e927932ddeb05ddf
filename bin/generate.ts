import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../openapi/document.ts';
import { chainsPage } from './chains-page.ts';
import { costPage } from './cost-page.ts';
import { settingsPage } from './settings-page.ts';

/* `npm run generate [folder]` writes each file that derives from the code, into this folder or another one. */

/** Returns the TypeScript types of the document's schemas. */
function typesOf(openApiFile: string): string {
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const client = join(folder, 'client.ts');
    const options = ['--output', client, '--output-mode', 'split'];
    execFileSync(process.execPath, [redocly, 'generate-client', openApiFile, ...options], { stdio: 'pipe' });
    const types = readFileSync(join(folder, 'client.schemas.ts'), 'utf8');
    return `// Generated from openapi.json by "npm run generate". Do not edit.\n${withoutNoise(types)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Leaves the types and their descriptions, one line each. The comments above them name a Redocly command and repeat the description of the
 * whole API, and the patterns and limits of JSON Schema help no reader of a type.
 */
const withoutNoise = (types: string): string =>
  types
    .slice(types.indexOf(' */') + ' */\n'.length)
    .replaceAll(/^ *\* @.*\n/gm, '')
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */');

const [to = '.'] = process.argv.slice(2);

function write(path: string, text: string): void {
  const file = join(to, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const OPENAPI = 'docs/openapi.json';
const document = openApiDocument(readFileSync('docs/definitions.md', 'utf8'));
write(OPENAPI, `${JSON.stringify(document, null, 2)}\n`);
write('clients/typescript/src/api.ts', typesOf(join(to, OPENAPI)));
write('docs/chains.md', chainsPage());
write('docs/operate/cost.md', costPage(readFileSync('docs/operate/cost.md', 'utf8')));
write('docs/operate/settings.md', settingsPage(readFileSync('docs/operate/settings.md', 'utf8')));
