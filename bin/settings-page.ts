import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { stageSchema } from '../lib/stages/stage-schema.ts';

/* The list of fields in docs/operate/settings.md, derived from the schema of a stage. */

const SOURCES = ['lib/stages/stage-schema.ts', 'core/settings/chain-settings.ts'];

/** Paths of the objects of the schema, by the constants that define their fields. */
const objects: Readonly<Record<string, string>> = {
  stageSchema: '',
  env: 'env.',
  chain: 'chains.<NAME>.',
  sourceSettings: 'chains.<NAME>.',
  chainSettings: 'chains.<NAME>.',
  tierFields: 'tiers.<name>.',
  pageFields: 'pages.',
  customDomain: 'customDomain.',
  vpc: 'vpc.',
};

/** Reads the doc comment of each field, by the field's path. */
function readTexts(): Readonly<Record<string, string>> {
  const sources = SOURCES.map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const blocks = sources.join().matchAll(/const (\w+) = (?:strictObject\()?\{\n(.*?)\n\}/gs);
  const texts = [...blocks].flatMap(([, object = '', body = '']) =>
    [...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+):/gms)].map(([, text = '', field]) => [
      `${objects[object]}${field}`,
      text.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim(),
    ]),
  );
  return Object.fromEntries(texts);
}

const fieldTexts = readTexts();

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
}

const BEGIN = '<!-- settings: written by "npm run generate" -->';
const END = '<!-- /settings -->';

/** Returns the page with a new list between its markers. @throws Error when a field has no text, or a text no field */
export function settingsPage(page: string): string {
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]];
  const root = z.toJSONSchema(stageSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = [...fieldsOf(root, '')];
  checkTexts(fields);
  return `${before}${BEGIN}\n\n${fields.map(line).join('\n')}\n\n${END}${after}`;
}

function* fieldsOf(
  { properties = {}, additionalProperties: others }: JsonSchema,
  prefix: string,
): Iterable<Field> {
  // Chains all have the same fields.
  const chains = prefix === 'chains.' ? Object.values(properties).slice(0, 1) : [];
  const named =
    chains.length > 0 ? chains.map((one) => ['<NAME>', one] as const) : Object.entries(properties);
  for (const [name, schema] of [...named, ...(others ? [['<name>', others] as const] : [])]) {
    const path = prefix + name;
    if (fieldTexts[path] !== undefined) yield { path, schema };
    else if (schema.properties || schema.additionalProperties) yield* fieldsOf(schema, `${path}.`);
    else yield { path, schema };
  }
}

function checkTexts(fields: readonly Field[]): void {
  const paths = fields.map(({ path }) => path);
  const known = Object.keys(fieldTexts);
  const wrong = [
    ...paths.filter((path) => !known.includes(path)),
    ...known.filter((path) => !paths.includes(path)),
  ];
  if (wrong.length === 0) return;
  throw new Error(`These fields of ${SOURCES.join(' or ')} have no doc comment: ${wrong.join(', ')}.`);
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function allowed({ enum: values, minimum, maximum }: JsonSchema): string {
  if (values && values.length < 5) return values.map(code).join(', ');
  if (minimum !== undefined && maximum !== undefined)
    return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
  return '';
}

const line = ({ path, schema }: Field): string => {
  const limits = [schema.default === undefined ? '' : `default ${code(schema.default)}`, allowed(schema)];
  const stated = limits.filter(Boolean).join('; ');
  return `- \`${path}\`${stated && ` (${stated})`}: ${fieldTexts[path]}`;
};
