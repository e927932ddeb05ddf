import { addDays, dayOf } from '../lambda/chains/utc-day.ts';
import { keptKey } from './key.ts';
import { withRecentExamples } from './recent-examples.ts';

/** What the script of Swagger UI leaves in the page. https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUI;

interface SwaggerUI {
  /** Fills a key in, as the dialog would. */
  readonly preauthorizeApiKey: (scheme: string, key: string) => void;
}

/** Names that a screen reader needs and Swagger UI does not give, by what it leaves without one. */
const missingNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.scheme-container': { role: 'region', 'aria-label': 'Key' },
  'table[role=region]': { role: 'table' },
  'td select': { 'aria-label': 'Value or example' },
  '.content-type-wrapper select, .content-type': { 'aria-label': 'Media type' },
  textarea: { 'aria-label': 'Body' },
  'pre.microlight': { tabindex: '0' },
  'button.close-modal': { 'aria-label': 'Close' },
  // These say something else than what is written on them.
  'button.modal-btn.authorize': { 'aria-label': 'Authorize' },
  'button.modal-btn.auth:not(.authorize, .btn-done)': { 'aria-label': 'Logout' },
  '.auth-container h6': { role: 'heading', 'aria-level': '5' },
};

function giveNames(): void {
  for (const [selector, attributes] of Object.entries(missingNames)) {
    for (const element of reference.querySelectorAll(`:is(${selector}):not([aria-labelledby])`)) {
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    }
  }
}

const reference = document.getElementById('reference') ?? document.body;
new MutationObserver(giveNames).observe(reference, { childList: true, subtree: true });

/** In place of the choice of a server, of which there is one, and of the curl line, which would show the key. */
const nothing = () => () => null;

const yesterday = addDays(dayOf(Date.now() / 1000), -1);
const updateJsonSpec = (update: (document: object) => unknown) => (document: object) =>
  update(withRecentExamples(document, yesterday));

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  // It would send the document to a service on the internet.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  // Its colors are too near one another to be read well.
  syntaxHighlight: false,
  plugins: [
    {
      wrapComponents: { ServersContainer: nothing, curl: nothing },
      statePlugins: { spec: { wrapActions: { updateJsonSpec } } },
    },
  ],
  // A key that was kept in the explorer is there already, to try a request with.
  onComplete: () => {
    const key = keptKey();
    if (key) ui.preauthorizeApiKey('ApiKey', key);
  },
});
