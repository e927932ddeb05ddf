import { readFileSync } from 'node:fs';
import { readDocument, typeName } from '#web/reference/document.ts';
import { referenceParts } from '#web/reference/page.ts';

const document = readDocument(readFileSync('docs/openapi.json', 'utf8'));
const { contents, sections: content } = referenceParts(document);

test('the contents link to each endpoint', () => {
  for (const path of Object.keys(document.paths))
    expect(contents).toContain(`<code>/${path.split('/').at(-1)}</code>`);
});

test('begins each choice with the default of the API', () => {
  expect(content).toContain('<option>hour</option><option selected>day</option>');
});

test('calls a method of the clients in each program', () => {
  expect(content).not.toContain('api.(');
});

test('shows every method, input, header and status of the document', () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    const [, section = ''] = content.split(`data-path="${path}"`);
    for (const method of Object.keys(operations)) expect(section).toContain(`<b>${method.toUpperCase()}</b>`);
    for (const { name } of operations.get?.parameters ?? []) {
      if (name !== 'If-None-Match') expect(section).toContain(`name="${name}"`);
    }
  }
  for (const name of ['X-Days-Missing', 'X-Data-Through', 'X-Fees-Currency', 'ETag']) {
    expect(content).toContain(`<code>${name}</code>`);
  }
  for (const status of [400, 403, 404, 413, 415, 429, 500, 503, 504]) {
    expect(content).toContain(`<th scope="row">${status}</th>`);
  }
});

test('escapes what the document says, and keeps its Markdown', () => {
  const [path = '', operations] = Object.entries(document.paths)[0] ?? [];
  const { get } = operations ?? {};
  if (!get) throw new Error('no operation');
  const hostile = { ...get, summary: '<script>alert(1)</script>', description: 'the **sum** of `a<b`' };
  const shown = referenceParts({ ...document, paths: { [path]: { get: hostile } } }).sections;
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(shown).toContain('<strong>sum</strong> of <code>a&lt;b</code>');
});

test.each([
  [{ type: 'string' }, 'string'],
  [{ enum: ['proven', 'checked'] }, '"proven" or "checked"'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
  [{ type: 'array', items: { component: 'Restatement', properties: {} } }, 'list of Restatement'],
])('names the type of %j', (schema, name) => {
  expect(typeName(schema)).toBe(name);
});

test('names no type that cannot be expanded in place', () => {
  const rows = content.match(/<td>(list of )?[A-Z]\w+(, may be absent)?<\/td>[\s\S]*?<\/td>/g) ?? [];
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) expect(row).toContain('<details><summary>Fields');
});

test('shows the headers of responses once, with the endpoints that have them', () => {
  expect(content.match(/<code>X-Fees-Currency<\/code><\/th>/g)).toHaveLength(1);
  expect(content).toMatch(/<code>X-Days-Missing<\/code>[\s\S]*?<td>[^<]*fees/);
});
