import {
  nestedTypes,
  type OpenApiDocument,
  type Response,
  resolve,
  rowSchemaOf,
  type Schema,
  typeName,
} from './document.ts';
import { programs, verifyProgram } from './examples.ts';
import { highlight } from './highlight.ts';
import { type Html, html, inline, markdown } from './html.ts';

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
    const parameters = (get.parameters ?? []).map((each) => resolve(document, each));
    return {
      path,
      id: get.operationId,
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
      summary: get.summary,
      description: get.description,
      // Headers have a table of their own: a reader who tries a request has no entity tag yet.
      parameters: parameters.filter((each) => each.in === 'query'),
      responses: Object.entries(get.responses).map(
        ([status, each]) => [status, resolve(document, each)] as const,
      ),
    };
  });
}

/** Returns the content of the API reference: endpoints first, then errors and the meaning of the figures. */
export function referenceContent(document: OpenApiDocument): string {
  const endpoints = endpointsOf(document);
  return html`
<p class="lead">Version ${document.info.version}. ${endpoints.length} read-only endpoints. Every request needs a key, in the header <code>X-API-Key</code>.
  For tools: <a href="openapi.json">openapi.json</a>.</p>
<form id="key-form" class="card key-row">
  <label for="key">Your key</label>
  <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
  <button class="quiet">Use</button>
  <p id="key-note" class="muted" role="status">Enter it to send requests from this page. It stays in this tab.</p>
</form>
<nav class="contents" aria-label="Contents">
  <a href="#keys">Keys and quotas</a>
  ${endpoints.map(({ id, path }) => html`<a href="#${id}"><code>/${path.split('/').at(-1)}</code></a>`)}
  <a href="#headers">Headers of responses</a>
  <a href="#errors">Errors</a>
  <a href="#verify">Recompute a day</a>
  <a href="#meaning">Meaning of the figures</a>
</nav>
<div class="sections">
${keySection()}
${endpoints.map((endpoint) => endpointSection(document, endpoint))}
${headerSection(document, endpoints)}
${errorSection(endpoints)}
${verifySection()}
<section class="card" id="meaning">${markdown(document.info.description)}</section>
</div>`.text;
}

const endpointSection = (document: OpenApiDocument, endpoint: Endpoint): Html => {
  const ok = endpoint.responses.find(([status]) => status === OK)?.[1] ?? { description: '' };
  return html`
<section class="card endpoint" id="${endpoint.id}" data-path="${endpoint.path}">
  <div class="text">
  <h2>${endpoint.summary}</h2>
  <p class="path">${endpoint.methods.map((method) => html`<b>${method}</b> `)}<code>${endpoint.path}</code></p>
  ${markdown(endpoint.description, 3)}
  ${requestForm(document, endpoint)}
  <h3>Response</h3>
  ${markdown(ok.description, 4)}
  ${fieldsTable(document, rowSchemaOf(document, ok))}
  </div>
  <aside class="code" aria-label="Programs for ${endpoint.path}">
  ${codeTabs(endpoint)}
  ${exampleOf(ok)}
  </aside>
</section>`;
};

const requestForm = (document: OpenApiDocument, { id, parameters }: Endpoint): Html => html`
<form class="request">
  ${parameters.map(
    ({ name, description, required, schema }) => html`
  <div>
    <label for="${id}-${name}"><code>${name}</code>${required ? '' : ' (optional)'}</label>
    ${inputOf(`${id}-${name}`, name, resolve(document, schema))}
    <p id="${id}-${name}-note" class="muted">${inline(description)}</p>
  </div>`,
  )}
  <div><button class="primary">Send</button></div>
  <output class="answer" aria-label="Response" tabindex="0" hidden></output>
</form>`;

const inputOf = (id: string, name: string, { enum: values, default: chosen }: Schema): Html =>
  values
    ? html`<select id="${id}" name="${name}" aria-describedby="${id}-note">${values.map((value) => (value === chosen ? html`<option selected>${value}</option>` : html`<option>${value}</option>`))}</select>`
    : html`<input id="${id}" name="${name}" value="${defaults[name]}" aria-describedby="${id}-note">`;

function codeTabs({ id, path, parameters }: Endpoint): Html {
  const given = parameters.flatMap(({ name }) => (defaults[name] ? [[name, defaults[name]]] : []));
  const texts = Object.entries(programs(PLACEHOLDER, path, Object.fromEntries(given)));
  return html`<div class="programs">${texts.map(([language, text]) => program(id, language, text, language === 'curl'))}</div>`;
}

/** @param group of programs of which one is open */
const program = (group: string, language: string, text: string, isOpen: boolean): Html => html`
  <details name="${group}-program"${isOpen ? html` open` : ''}>
    <summary>${language}</summary>
    <button type="button" class="quiet copy">Copy</button>
    <pre tabindex="0" aria-label="${language}"><code data-language="${language}">${colored(text)}</code></pre>
  </details>`;

/** Names the type of a value. One that has no fields to expand is named by what it is made of. */
const shownType = (document: OpenApiDocument, schema: Parameters<typeof typeName>[0]): string =>
  typeName(nestedTypes(document, schema).length > 0 ? schema : resolve<Schema>(document, schema));

/** @param rows with a cell for each heading */
const table = (label: string, headings: readonly string[], rows: readonly Html[]): Html => html`
<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table>
  <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
  <tbody>${rows}</tbody></table></div>`;

const fieldsTable = (document: OpenApiDocument, { properties = {}, required = [] }: Schema): Html =>
  table(
    'Fields',
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties).map(
      ([name, schema]) => html`
    <tr><th scope="row"><code>${name}</code></th>
      <td>${shownType(document, schema)}${required.includes(name) ? '' : ', may be absent'}</td>
      <td>${inline('description' in schema ? schema.description : resolve<Schema>(document, schema).description)}
        ${nestedTypes(document, schema).map(
          (nested) =>
            html`<details><summary>Fields${nested.title ? ` (${nested.title})` : ''}</summary>${fieldsTable(document, nested.schema)}</details>`,
        )}</td></tr>`,
    ),
  );

/** All headers of successful responses, once: most endpoints have the same. */
const headerSection = (document: OpenApiDocument, endpoints: readonly Endpoint[]): Html => {
  const given = endpoints.flatMap(({ path, responses }) =>
    Object.entries(responses.find(([status]) => status === OK)?.[1].headers ?? {}).map(([name, header]) => ({
      name,
      endpoint: path.split('/').at(-1) ?? '',
      ...resolve<{ readonly description: string }>(document, header),
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

const keySection = (): Html => html`
<section class="card" id="keys">
  <h2>Keys and quotas</h2>
  <p><span id="key-source">Ask the operator of this service for a key.</span> Send it with every request, in the header <code>X-API-Key</code>.</p>
  <p>Each key has a rate, a burst and a number of requests a month, which its operator chose. Above them, a request gets status 429. After
    <code>Retry-After</code> seconds, send it again. Unless the operator changed them, they are 10 requests a second, 20 at once, and
    100,000 a month. A response does not say how many are left: API Gateway does not tell.</p>
</section>`;

const verifySection = (): Html => html`
<section class="card" id="verify">
  <h2>Recompute a day yourself</h2>
  <p>You need a key, Python 3.9 or newer, and a node: your own, or a public one as below. The program reads every block of the day from the
    node, adds up its figures, and compares them with those of this service.</p>
  <div class="programs">${program('verify', 'Shell', verifyProgram(PLACEHOLDER), true)}</div>
</section>`;

const colored = (text: string): Html[] =>
  highlight(text).map((part) => html`<span class="${part.kind}">${part.text}</span>`);

/** Shows the first row of the example. */
function exampleOf({ content = {} }: Response): Html {
  const example = content['application/json']?.example;
  const rows = Array.isArray(example) ? example.slice(0, 1) : example;
  return html`<p>For example, with invented figures:</p>
  <pre tabindex="0" aria-label="Example"><code>${colored(JSON.stringify(rows, null, 2))}</code></pre>`;
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
