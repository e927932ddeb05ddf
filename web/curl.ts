import { curlLines } from './curl-lines.ts';
import { byId, element } from './dom.ts';
import type { View } from './view.ts';

/* The curl lines of what is chosen, and the button that copies them. */

const place = byId('curl', HTMLElement);
const copy = byId('copy', HTMLButtonElement);
let lines: readonly string[] = [];

/** @param root where the API is */
export function showCurl(root: string, view: View): void {
  lines = curlLines(root, view);
  // Each may wrap, and still looks like one line.
  place.replaceChildren(...lines.map((line) => element('code', {}, line)));
}

/** Makes the button work. */
export function wireCopy(): void {
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(lines.join('\n'));
      copy.textContent = 'Copied';
    } catch {
      // Over plain HTTP from another machine, browsers let no page write there.
      getSelection()?.selectAllChildren(place);
      copy.textContent = 'Selected: copy it by hand';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 3_000);
  });
}
