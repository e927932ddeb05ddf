import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import * as z from 'zod/mini';
import { Controls } from './controls/controls.tsx';
import { Button, Notices } from './controls/elements.tsx';
import { showNext } from './controls/focus.ts';
import { KeyForm } from './controls/key-form.tsx';
import { keyPlace, keyPlaces } from './controls/storage.ts';
import { useSession } from './controls/use-session.ts';
import { useView } from './controls/use-view.ts';
import { fullTitle } from './model/labels.ts';
import { shownChains } from './model/offered.ts';
import { Morning } from './morning/morning-view.tsx';
import { OpenPage, Welcome } from './open/open-page.tsx';
import { Results } from './results/results.tsx';
import './texts.ts';

/* The explorer. In embed.html, it is only the charts. */

const main = document.querySelector('main');
const isEmbedded = document.body.dataset.page === 'embed';

function Explorer() {
  const linked = useView();
  const { session, use, forget, retry } = useSession();
  const { view, problems, today } = linked;
  const isAccepted = session.state === 'accepted';
  /** True while the form for the key is shown; undefined before anything is. */
  const wasForm = useRef<boolean>(undefined);
  useEffect(() => showKeyChip(isAccepted, forget), [isAccepted]);
  useEffect(() => {
    // The form, or the menu that forgets the key, has disappeared with the focus.
    if (isAccepted && wasForm.current) main?.focus();
    else if (!isAccepted && wasForm.current === false) document.getElementById('key')?.focus();
    wasForm.current = isAccepted ? false : session.state === 'none' || wasForm.current;
  }, [isAccepted, session.state]);
  useEffect(() => receiveKey((key) => use(key, 'page')), []);
  if (session.state === 'failed') return <Notices texts={[session.error]} onRetry={retry} />;
  if (session.state === 'checking' && !session.isEntered) return <div class="card skeleton" />;
  if (!isAccepted)
    return (
      <>
        <Notices texts={problems} />
        {!isEmbedded && <Welcome />}
        <KeyForm
          purpose={`With it, this page shows ${view.isMorning ? 'how each chain did yesterday' : fullTitle(view)}.`}
          refusal={session.state === 'none' ? session.refusal : undefined}
          isChecking={session.state === 'checking'}
          onSubmit={use}
        />
        {!isEmbedded && <OpenPage today={today} />}
      </>
    );
  const { api, statuses } = session;
  const served = statuses.length > 0 ? statuses.map(({ chain }) => chain) : shownChains;
  if (view.isMorning && !isEmbedded)
    return <Morning {...{ api, statuses, view, today }} onKeyRefused={forget} />;
  return (
    <>
      {!isEmbedded && (
        <>
          <Button class="skip" onClick={() => showNext('plot')}>
            Skip to the chart
          </Button>
          <Controls view={view} served={served} today={today} onChange={linked.change} />
        </>
      )}
      <Notices texts={problems} />
      <Results {...{ api, statuses, linked, today, isEmbedded }} onKeyRefused={forget} />
    </>
  );
}

/** Shows in the page's header that a key is in use, with a menu to forget it. */
function showKeyChip(isAccepted: boolean, forget: () => void): void {
  const chip = (
    <details class="menu">
      <summary class="quiet" translate={false}>
        Key ✓
      </summary>
      <div>
        <p>The key is accepted. {keyPlaces[keyPlace()][1]}</p>
        <Button onClick={() => forget()}>Forget the key</Button>
      </div>
    </details>
  );
  const slot = document.getElementById('key-slot');
  if (slot) render(isAccepted ? chip : null, slot);
}

/** Receives a key from the page that embeds this one. Only pages of allowed origins can: the server's policy refuses all others. */
function receiveKey(use: (key: string) => void): (() => void) | undefined {
  if (!isEmbedded || parent === window) return undefined;
  const receive = ({ source, data }: MessageEvent<unknown>) => {
    const message = z.object({ key: z.string() }).safeParse(data);
    if (source === parent && message.success) use(message.data.key);
  };
  addEventListener('message', receive);
  parent.postMessage({ ready: 'chain-insights' }, '*');
  return () => removeEventListener('message', receive);
}

/* A click beside an open box closes it. */
addEventListener('click', ({ target }) => {
  for (const box of document.querySelectorAll<HTMLDetailsElement>(':is(.menu, .badge)[open]'))
    box.open = box.contains(target as Node);
});

if (main) render(<Explorer />, main);
