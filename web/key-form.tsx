import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keyError } from './storage.ts';

interface Props {
  /** Sentence that says what the key will show. */
  readonly purpose: string;
  /** Reason why the last key was refused. */
  readonly refusal: string | undefined;
  readonly isChecking: boolean;
  readonly onSubmit: (key: string, isKept: boolean) => void;
}

/** Asks for an API key. */
export function KeyForm({ purpose, refusal, isChecking, onSubmit }: Props) {
  const [invalid, setInvalid] = useState<string>();
  const keep = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const error = invalid ?? refusal;
  useEffect(() => {
    if (error && !isChecking) field.current?.select();
  }, [error, isChecking]);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    setInvalid(keyError(key));
    if (!keyError(key)) onSubmit(key, keep.current?.checked === true);
  };
  return (
    <form class="card key" onSubmit={submit} noValidate>
      <h1>Enter your API key</h1>
      <p id="key-purpose">{purpose}</p>
      <label for="key">API key</label>
      <div class="key-row">
        <input
          {...{ id: 'key', type: 'password', autocomplete: 'off', spellcheck: false, ref: field }}
          aria-describedby="key-error key-purpose key-note"
          aria-invalid={error !== undefined}
        />
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Show'}
        </button>
      </div>
      <p id="key-error" class="error" role="alert">
        {!isChecking && error}
      </p>
      <KeepKey keep={keep} />
    </form>
  );
}

const KeepKey = ({ keep }: { readonly keep: Ref<HTMLInputElement> }) => (
  <>
    <label class="check">
      <input type="checkbox" ref={keep} /> Keep the key in this tab
    </label>
    <p id="key-note" class="muted">
      The key is sent only to this service. This page forgets it when you leave, unless you keep it.
    </p>
  </>
);
