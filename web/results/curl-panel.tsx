import { CopyButton } from '../controls/copy-button.tsx';
import { curlCommand } from '../data/api-client.ts';
import type { View } from '../model/view.ts';

export function CurlPanel({ root, view }: { readonly root: string; readonly view: View }) {
  const lines = view.chains.map((chain) => curlCommand(root, { ...view, chain }));
  return (
    <section class="card curl" aria-labelledby="curl-title">
      <header class="head">
        <h2 id="curl-title">Get these figures with curl</h2>
        <div class="tools">
          <CopyButton label="Copy" text={() => lines.join('\n')} />
        </div>
      </header>
      <pre id="curl">
        {lines.map((line) => (
          // One element per command, so that a wrapped command still looks like one line.
          <code key={line}>{line}</code>
        ))}
      </pre>
      <p class="note">
        Set the variable <code>CHAIN_INSIGHTS_KEY</code> to your key first. See the{' '}
        <a href="docs">API reference</a> for more.
      </p>
    </section>
  );
}
