import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../openapi/document.ts';
import { rowSchemas } from '../openapi/schemas.ts';
import { chainsPage } from './chains-page.ts';
import { costPage } from './cost-page.ts';
import { settingsPage } from './settings-page.ts';

/* `npm run generate [folder]` writes each file that derives from the code, into this folder or another one. */

/** Inputs of requests, which the client declares in camelCase. */
const inputs = [
  'DayInput',
  'OneOrMoreChains',
  'Period',
  'PeriodQuery',
  'FieldNames',
  'DaysQuery',
  'FeesFieldNames',
  'FeesQuery',
  'TodayQuery',
  'Query',
];

function typesOf({ components: _, ...document }: ReturnType<typeof openApiDocument>): string {
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
  const schemas = Object.entries(rowSchemas()).filter(([name]) => !inputs.includes(name));
  const ofResponses = { ...document, paths: {}, components: { schemas: Object.fromEntries(schemas) } };
  using folder = mkdtempDisposableSync(join(tmpdir(), 'openapi-'));
  const file = join(folder.path, 'openapi.json');
  writeFileSync(file, JSON.stringify(ofResponses));
  const options = ['--output', join(folder.path, 'client.ts'), '--output-mode', 'split'];
  execFileSync(process.execPath, [redocly, 'generate-client', file, ...options], { stdio: 'pipe' });
  const types = readFileSync(join(folder.path, 'client.schemas.ts'), 'utf8');
  return `// Generated from openapi.json by "npm run generate". Do not edit.\n${withoutNoise(types)}`;
}

/**
 * Leaves the types and their descriptions, one line each. The comments above them name a Redocly command and repeat the description of the
 * whole API, the patterns and limits of JSON Schema help no reader of a type, and the client needs no objects.
 */
const withoutNoise = (types: string): string =>
  types
    .slice(types.indexOf(' */') + ' */\n'.length)
    .replaceAll(/^ *\* @.*\n/gm, '')
    .replaceAll(/^ *\/\*\*\n *\*\/\n/gm, '')
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */')
    .replaceAll(/^export const .*\n(?: .*\n)*\} as const;\n\n/gm, '');

const [to = '.'] = process.argv.slice(2);

function write(path: string, text: string): void {
  const file = join(to, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const document = openApiDocument(readFileSync('docs/definitions.md', 'utf8'));
write('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
write('clients/typescript/src/api.ts', typesOf(document));
write('docs/chains.md', chainsPage());
write('docs/operate/cost.md', costPage(readFileSync('docs/operate/cost.md', 'utf8')));
write('docs/operate/settings.md', settingsPage(readFileSync('docs/operate/settings.md', 'utf8')));
