import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Copies a text, and says so for three seconds. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [state, setState] = useState<string>();
  const copy = async () => {
    // Browsers block the clipboard over plain HTTP from another machine.
    const copied = await navigator.clipboard?.writeText(text()).then(
      () => 'Copied',
      () => undefined,
    );
    setState(copied ?? 'Blocked by the browser');
    setTimeout(() => setState(undefined), 3_000);
  };
  return (
    <Button class="quiet copy" aria-live="polite" onClick={() => void copy()}>
      {state ?? label}
    </Button>
  );
}
