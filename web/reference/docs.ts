import { keyError, storedKey, storeKey } from '../controls/storage.ts';
import { escapedJson } from '../data/printable.ts';
import { metaText, shownChains } from '../model/offered.ts';
import { type Inputs, type Language, programs, verifyProgram } from './examples.ts';

/* The API reference: requests with the reader's key, and programs that follow the inputs. web/reference/ builds the page. */

const base = new URL('.', location.href).href.replace(/\/$/, '');
let key = storedKey();

const find = <Type extends Element>(within: ParentNode, selector: string): Type => {
  const found = within.querySelector<Type>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
};

const keyForm = find<HTMLFormElement>(document, '#key-form');
const keyInput = find<HTMLInputElement>(keyForm, 'input');
const keyNote = find(keyForm, '#key-note');
if (key) {
  keyInput.value = key;
  keyNote.textContent = 'The key of the explorer is used.';
}
keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = keyInput.value.trim();
  const error = keyError(given);
  keyInput.ariaInvalid = String(error !== undefined);
  keyNote.textContent = error ?? 'Requests from this page use this key.';
  if (error !== undefined) return;
  key = given;
  storeKey(key, 'tab');
});

/** Returns the inputs that are not empty, without those that have the API's default. */
function inputsOf(form: HTMLFormElement): Inputs {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== '' && !(name === 'interval' && value === 'day')),
  );
}

async function send(path: string, inputs: Inputs): Promise<string> {
  if (!key) return 'Enter your key at the top of this page first.';
  try {
    const response = await fetch(`${base}${path}?${new URLSearchParams(inputs)}`, {
      headers: { 'X-API-Key': key },
    });
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const lines = headers.filter((line) => /^(x-(days|data|fees|start|end)|retry)/.test(line));
    const body = escapedJson(JSON.stringify(await response.json(), null, 2));
    return [`${response.status} ${response.statusText}`, ...lines, '', body].join('\n');
  } catch (error) {
    return `The request failed: ${error instanceof Error ? error.message : error}. Check your connection, then send it again.`;
  }
}

for (const option of document.querySelectorAll<HTMLOptionElement>('select[name=chain] option')) {
  if (!shownChains.some((name) => name === option.value)) option.remove();
}

find(document, '#verify code').textContent = verifyProgram(base);
const keyUrl = metaText('key-url');
if (keyUrl) {
  const link = document.createElement('a');
  link.href = keyUrl;
  link.textContent = 'Ask for a key.';
  find(document, '#key-source').replaceChildren(link);
}

for (const section of document.querySelectorAll<HTMLElement>('.endpoint')) {
  const { path = '' } = section.dataset;
  const form = find<HTMLFormElement>(section, 'form');
  const answer = find<HTMLOutputElement>(form, 'output');
  const update = () => {
    const texts = programs(base, path, inputsOf(form));
    for (const code of section.querySelectorAll<HTMLElement>('[data-language]'))
      code.textContent = texts[code.dataset.language as Language];
  };
  update();
  form.addEventListener('input', update);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    answer.hidden = false;
    answer.textContent = 'Sending …';
    answer.textContent = await send(path, inputsOf(form));
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  button.addEventListener('click', async () => {
    const text = find(button.parentElement ?? document, 'code').textContent ?? '';
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Copying failed: select the text',
    );
    setTimeout(() => button.replaceChildren('Copy'), 2_000);
  });
}
