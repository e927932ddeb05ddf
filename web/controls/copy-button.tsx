import { useEffect, useState } from 'preact/hooks';

/** Copies a text, and says so for three seconds. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [state, setState] = useState<string>();
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => setState(undefined), 3_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    // Browsers block the clipboard over plain HTTP from another machine.
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    setState(isCopied ? 'Copied' : 'Blocked by the browser');
  };
  return (
    <button type="button" class="quiet copy" aria-live="polite" onClick={() => void copy()}>
      {state ?? label}
    </button>
  );
}
