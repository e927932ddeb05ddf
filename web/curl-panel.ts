import { curlCommand } from './api-client.ts';
import { byId, element } from './dom.ts';
import type { View } from './view.ts';

/* The panel with the curl commands of the view. */

const panel = byId('curl', HTMLElement);
const copy = byId('copy', HTMLButtonElement);
let lines: readonly string[] = [];

export function showCurl(root: string, view: View): void {
  lines = view.chains.map((chain) => curlCommand(root, chain, view));
  // One element per command, so that a wrapped command still looks like one line.
  panel.replaceChildren(...lines.map((line) => element('code', {}, line)));
}

copy.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(lines.join('\n'));
    copy.textContent = 'Copied';
  } catch {
    // Browsers block the clipboard over plain HTTP from another machine.
    getSelection()?.selectAllChildren(panel);
    copy.textContent = 'Selected: press Ctrl+C or ⌘C';
  }
  setTimeout(() => {
    copy.textContent = 'Copy';
  }, 3_000);
});
