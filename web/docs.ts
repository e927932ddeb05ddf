import { addDays, dayOf } from '../lambda/chains/utc-day.ts';
import { withRecentExamples } from './recent-examples.ts';
import { storedKey } from './storage.ts';

/** The global that the script of Swagger UI defines. https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
declare const SwaggerUIBundle: (options: object) => { preauthorizeApiKey(scheme: string, key: string): void };

/** Accessible names and roles that Swagger UI lacks, by selector. */
const missingAttributes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.scheme-container': { role: 'region', 'aria-label': 'Key' },
  'table[role=region]': { role: 'table' },
  'td select': { 'aria-label': 'Value or example' },
  '.content-type-wrapper select, .content-type': { 'aria-label': 'Media type' },
  textarea: { 'aria-label': 'Body' },
  'pre.microlight': { tabindex: '0' },
  'button.close-modal': { 'aria-label': 'Close' },
  // The label that Swagger UI sets differs from the visible text.
  'button.modal-btn.authorize': { 'aria-label': 'Authorize' },
  'button.modal-btn.auth:not(.authorize, .btn-done)': { 'aria-label': 'Logout' },
  '.auth-container h6': { role: 'heading', 'aria-level': '5' },
};

function addMissingAttributes(): void {
  for (const [selector, attributes] of Object.entries(missingAttributes)) {
    for (const element of reference.querySelectorAll(`:is(${selector}):not([aria-labelledby])`)) {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    }
  }
}

const reference = document.getElementById('reference') ?? document.body;
new MutationObserver(addMissingAttributes).observe(reference, { childList: true, subtree: true });

/** Hides a component: the choice of a server, since there is only one, and the curl command, which would show the key. */
const hidden = () => () => null;

const yesterday = addDays(dayOf(Date.now() / 1000), -1);
const updateJsonSpec = (update: (document: object) => unknown) => (document: object) =>
  update(withRecentExamples(document, yesterday));

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  // The validator would send the document to another host.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  // Its colors have too little contrast.
  syntaxHighlight: false,
  plugins: [
    {
      wrapComponents: { ServersContainer: hidden, curl: hidden },
      statePlugins: { spec: { wrapActions: { updateJsonSpec } } },
    },
  ],
  // Reuses a key that was stored in the explorer.
  onComplete: () => {
    const key = storedKey();
    if (key) ui.preauthorizeApiKey('ApiKey', key);
  },
});
