import { marked } from 'marked';
import { nestedTypes, type OpenApiDocument, type Response, type Schema, typeName } from './document.ts';
import { programs } from './examples.ts';

/** A piece of HTML, which is not escaped again. */
interface Html {
  readonly text: string;
}

type Content = Html | string | number | undefined | readonly Content[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const textOf = (content: Content): string => {
  if (content === undefined) return '';
  if (typeof content === 'object') return 'text' in content ? content.text : content.map(textOf).join('');
  return String(content).replace(/[&<>"]/g, (character) => escapes[character] ?? '');
};

/** Builds HTML from a template, and escapes what is inserted. */
const html = (texts: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  text: texts.map((text, index) => text + textOf(contents[index])).join(''),
});

/** Keeps browsers from translating the dates of a piece of HTML. */
const keepDates = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\d(?![^<]*>)/g, '<time translate="no">$&</time>');

/** Converts the Markdown of a description. @param level of its highest headings */
const markdown = (text: string, level = 2): Html => ({
  text: keepDates(
    marked.parse(text.replaceAll(/^##(?=#* )/gm, '#'.repeat(level)), { async: false, gfm: true }),
  ),
});

const inline = (text = ''): Html => ({
  text: keepDates(marked.parseInline(text, { async: false, gfm: true })),
});

/** The values that a request has before the reader changes them: they have figures on any day. */
const defaults: Readonly<Record<string, string>> = {
  chain: 'ETHEREUM',
  start_date: '30-days-ago',
  end_date: 'yesterday',
};

const OK = '200';
const PLACEHOLDER = 'https://…';

type Endpoint = ReturnType<typeof endpointsOf>[number];

function endpointsOf(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, operations]) => {
    const { get } = operations;
    if (!get) return [];
    return {
      path,
      id: get.operationId,
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
      summary: get.summary,
      description: get.description,
      // Headers have a table of their own: a reader who tries a request has no entity tag yet.
      parameters: (get.parameters ?? []).filter((each) => each.in === 'query'),
      responses: Object.entries(get.responses),
    };
  });
}

/** Returns what docs.html has a comment for: links to the endpoints, and sections on endpoints, headers, errors and figures. */
export function referenceParts(document: OpenApiDocument): Readonly<Record<'contents' | 'sections', string>> {
  const endpoints = endpointsOf(document);
  return {
    contents:
      html`${endpoints.map(({ id, path }) => html`<a href="#${id}"><code>/${path.split('/').at(-1)}</code></a>`)}`
        .text,
    sections: html`
${endpoints.map(endpointSection)}
${headerSection(endpoints)}
${errorSection(endpoints)}
<section class="card" id="meaning">${markdown(document.info.description)}</section>`.text,
  };
}

const endpointSection = (endpoint: Endpoint): Html => {
  const ok = endpoint.responses.find(([status]) => status === OK)?.[1] ?? { description: '' };
  return html`
<section class="card endpoint" id="${endpoint.id}" data-path="${endpoint.path}">
  <div class="text">
  <h2>${endpoint.summary}</h2>
  <p class="path">${endpoint.methods.map((method) => html`<b>${method}</b> `)}<code>${endpoint.path}</code></p>
  ${markdown(endpoint.description, 3)}
  ${requestForm(endpoint)}
  <h3>Response</h3>
  ${markdown(ok.description, 4)}
  ${fieldsTable(rowOf(ok.content?.['application/json']?.schema))}
  </div>
  <aside class="code" aria-label="Programs for ${endpoint.path}">
  ${codeTabs(endpoint)}
  ${exampleOf(ok)}
  </aside>
</section>`;
};

/** Returns the schema of a row, or of the object that one chain gets. */
const rowOf = (schema: Schema = {}): Schema => schema.items ?? schema.oneOf?.[0] ?? {};

const requestForm = ({ id, parameters }: Endpoint): Html => html`
<form class="request">
  ${parameters.map(
    ({ name, description, required, schema }) => html`
  <div>
    <label for="${id}-${name}"><code>${name}</code>${required ? '' : ' (optional)'}</label>
    ${inputOf(`${id}-${name}`, name, schema, required)}
    <p id="${id}-${name}-note" class="muted">${inline(description)}</p>
  </div>`,
  )}
  <div><button class="primary">Send</button></div>
  <output class="answer" aria-label="Response" tabindex="0" hidden></output>
</form>`;

/** A list has an input for one value. */
const inputOf = (
  id: string,
  name: string,
  { items, enum: values = items?.enum, default: chosen }: Schema,
  isRequired = false,
) =>
  values
    ? html`<select id="${id}" name="${name}" aria-describedby="${id}-note">${isRequired || chosen ? '' : html`<option></option>`}${values.map((value) => (value === chosen ? html`<option selected>${value}</option>` : html`<option>${value}</option>`))}</select>`
    : html`<input id="${id}" name="${name}" value="${defaults[name]}" aria-describedby="${id}-note">`;

function codeTabs({ id, path, parameters }: Endpoint): Html {
  const given = parameters.flatMap(({ name }) => (defaults[name] ? [[name, defaults[name]]] : []));
  const texts = Object.entries(programs(PLACEHOLDER, path, Object.fromEntries(given)));
  return html`<div class="programs">${texts.map(
    ([language, text], index) => html`
  <details name="${id}-program"${index === 0 ? html` open` : ''}>
    <summary>${language}</summary>
    <button type="button" class="quiet copy">Copy</button>
    <pre tabindex="0" aria-label="${language}"><code data-language="${language}">${text}</code></pre>
  </details>`,
  )}</div>`;
}

/** @param rows with a cell for each heading */
const table = (label: string, headings: readonly string[], rows: readonly Html[]): Html => html`
<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table>
  <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
  <tbody>${rows}</tbody></table></div>`;

const fieldsTable = ({ properties = {}, required = [], 'x-always': always = required }: Schema): Html =>
  table(
    'Fields',
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties).map(
      ([name, schema]) => html`
    <tr><th scope="row"><code>${name}</code></th>
      <td>${typeName(schema)}${always.includes(name) ? '' : ', may be absent'}</td>
      <td>${inline(schema.description)}
        ${nestedTypes(schema).map(
          (nested) =>
            html`<details><summary>Fields${nested.title ? ` (${nested.title})` : ''}</summary>${fieldsTable(nested.schema)}</details>`,
        )}</td></tr>`,
    ),
  );

/** All headers of successful responses, once: most endpoints have the same. */
const headerSection = (endpoints: readonly Endpoint[]): Html => {
  const given = endpoints.flatMap(({ path, responses }) =>
    Object.entries(responses.find(([status]) => status === OK)?.[1].headers ?? {}).map(([name, header]) => ({
      name,
      endpoint: path.split('/').at(-1) ?? '',
      description: header.description,
    })),
  );
  const rows = Array.from(
    Map.groupBy(given, ({ name }) => name),
    ([name, of]) => html`
      <tr><th scope="row"><code>${name}</code></th><td>${inline(of[0]?.description)}</td>
        <td>${of.length === endpoints.length ? 'all' : of.map(({ endpoint }) => endpoint).join(', ')}</td></tr>`,
  );
  return html`
<section class="card" id="headers">
  <h2>Headers of responses</h2>
  ${table('Headers of responses', ['Header', 'Meaning', 'Endpoints'], rows)}
</section>`;
};

function exampleOf({ content = {} }: Response): Html {
  const example = content['application/json']?.example;
  const rows = Array.isArray(example) ? example.slice(0, 1) : example;
  return html`<p>For example, with invented figures:</p>
  <pre tabindex="0" aria-label="Example"><code>${JSON.stringify(rows, null, 2)}</code></pre>`;
}

/** All endpoints have the same errors. */
const errorSection = (endpoints: readonly Endpoint[]): Html => {
  const errors = new Map(
    endpoints.flatMap(({ responses }) => responses).filter(([status]) => status >= '400'),
  );
  const rows = [...errors].toSorted().map(
    ([status, { description }]) => html`
      <tr><th scope="row">${status}</th><td>${markdown(description)}</td></tr>`,
  );
  return html`
<section class="card" id="errors">
  <h2>Errors</h2>
  <p>Every error is <code>application/problem+json</code>. <code>detail</code> states the cause and the remedy, <code>errors</code> each invalid
    field. If there is a <code>Retry-After</code> header, wait for that number of seconds and send the request again.</p>
  ${table('Errors', ['Status', 'Cause and remedy'], rows)}
</section>`;
};
