import {
  type OpenApiDocument,
  type Parameter,
  type Response,
  resolve,
  rowSchema,
  type Schema,
  typeName,
} from './document.ts';
import { programs } from './examples.ts';
import { type Html, html, inline, markdown } from './html.ts';

/** The values that a request has before the reader changes them: they have figures on any day. */
const defaults: Readonly<Record<string, string>> = {
  chain: 'ETHEREUM',
  start_date: '30-days-ago',
  end_date: 'yesterday',
};

const OK = '200';
const PLACEHOLDER = 'https://…';

interface Endpoint {
  readonly path: string;
  readonly id: string;
  readonly methods: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly (readonly [status: string, Response])[];
}

function endpointsOf(document: OpenApiDocument): Endpoint[] {
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
      responses: Object.entries(get.responses).map(([status, each]) => [status, resolve(document, each)]),
    };
  });
}

/** Returns the content of the API reference: endpoints first, then errors and the meaning of the figures. */
export function referenceContent(document: OpenApiDocument): string {
  const endpoints = endpointsOf(document);
  return html`
<p class="lead">Version ${document.info.version}. Four read-only endpoints. Every request needs a key, in the header <code>X-API-Key</code>.
  For tools: <a href="openapi.json">openapi.json</a>.</p>
<form id="key-form" class="key">
  <label for="key">Your key</label>
  <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
  <button class="quiet">Use</button>
  <p id="key-note" role="status">Enter it to send requests from this page. It stays in this tab.</p>
</form>
<nav class="contents" aria-label="Endpoints">
  ${endpoints.map(({ id, path, summary }) => html`<a href="#${id}"><code>${path}</code> ${summary}</a>`)}
  <a href="#errors">Errors</a>
  <a href="#meaning">Meaning of the figures</a>
</nav>
${endpoints.map((endpoint) => endpointSection(document, endpoint))}
${errorSection(endpoints)}
<section id="meaning">${markdown(document.info.description)}</section>`.text;
}

const endpointSection = (document: OpenApiDocument, endpoint: Endpoint): Html => {
  const ok = endpoint.responses.find(([status]) => status === OK)?.[1] ?? { description: '' };
  return html`
<section class="endpoint" id="${endpoint.id}" data-path="${endpoint.path}">
  <h2>${endpoint.summary}</h2>
  <p class="path">${endpoint.methods.map((method) => html`<b>${method}</b> `)}<code>${endpoint.path}</code></p>
  ${markdown(endpoint.description, 3)}
  ${requestForm(document, endpoint)}
  ${codeTabs(endpoint)}
  <h3>Response</h3>
  ${markdown(ok.description, 4)}
  ${fieldsTable(document, rowSchema(document, ok))}
  ${headersTable(document, ok)}
  ${exampleOf(ok)}
</section>`;
};

const requestForm = (document: OpenApiDocument, { id, parameters }: Endpoint): Html => html`
<form class="request">
  ${parameters.map(
    ({ name, description, required, schema }) => html`
  <div>
    <label for="${id}-${name}">${name}${required ? '' : ' (optional)'}</label>
    ${inputOf(`${id}-${name}`, name, resolve(document, schema))}
    <p id="${id}-${name}-note">${inline(description)}</p>
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
  return html`
<div class="programs">
  ${texts.map(
    ([language, text]) => html`
  <details name="${id}-program"${language === 'curl' ? html` open` : ''}>
    <summary>${language}</summary>
    <button type="button" class="quiet copy">Copy</button>
    <pre tabindex="0" aria-label="${language}"><code data-language="${language}">${text}</code></pre>
  </details>`,
  )}
</div>`;
}

const fieldsTable = (document: OpenApiDocument, { properties = {}, required = [] }: Schema): Html => html`
<div class="scroll" tabindex="0" role="group" aria-label="Fields of a row"><table>
  <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
  <tbody>${Object.entries(properties).map(
    ([name, schema]) => html`
    <tr><th scope="row"><code>${name}</code></th>
      <td>${typeName(schema)}${required.includes(name) ? '' : ', may be absent'}</td>
      <td>${inline('description' in schema ? schema.description : resolve<Schema>(document, schema).description)}</td></tr>`,
  )}
  </tbody></table></div>`;

const headersTable = (document: OpenApiDocument, { headers = {} }: Response): Html => html`
<div class="scroll" tabindex="0" role="group" aria-label="Headers of the response"><table>
  <thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
  <tbody>${Object.entries(headers).map(
    ([name, header]) => html`
    <tr><th scope="row"><code>${name}</code></th><td>${inline(resolve(document, header).description)}</td></tr>`,
  )}
  </tbody></table></div>`;

/** Shows the first row of the example. */
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
  return html`
<section id="errors">
  <h2>Errors</h2>
  <p>Every error is <code>application/problem+json</code>. <code>detail</code> states the cause and the remedy, <code>errors</code> each invalid
    field. If there is a <code>Retry-After</code> header, wait for that number of seconds and send the request again.</p>
  <div class="scroll" tabindex="0" role="group" aria-label="Errors"><table>
    <thead><tr><th scope="col">Status</th><th scope="col">Cause and remedy</th></tr></thead>
    <tbody>${[...errors].toSorted().map(
      ([status, { description }]) => html`
      <tr><th scope="row">${status}</th><td>${markdown(description)}</td></tr>`,
    )}
    </tbody></table></div>
</section>`;
};
