import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dated } from './elements.tsx';
import { type KeyPlace, keyError, keyPlaces } from './storage.ts';

interface Props {
  readonly purpose: string;
  readonly refusal: string | undefined;
  readonly isChecking: boolean;
  readonly onSubmit: (key: string, place: KeyPlace) => void;
}

export function KeyForm({ purpose, refusal, isChecking, onSubmit }: Props) {
  const [invalid, setInvalid] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const error = invalid ?? refusal;
  useEffect(() => {
    if (error && !isChecking) field.current?.select();
  }, [error, isChecking]);
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const place = new FormData(event.currentTarget).get('place') as KeyPlace;
    const key = field.current?.value.trim() ?? '';
    setInvalid(keyError(key));
    if (!keyError(key)) onSubmit(key, place);
  };
  return (
    <form class="card about key" onSubmit={submit} noValidate>
      <h2>Enter your API key</h2>
      <p id="key-purpose">{dated(purpose)}</p>
      <label for="key">API key</label>
      <div class="key-row">
        <input
          {...{ id: 'key', type: 'password', autocomplete: 'off', spellcheck: false, ref: field }}
          aria-describedby="key-error key-purpose key-note"
          aria-invalid={error !== undefined}
        />
        <button type="submit" class="primary" translate={false} disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Use this key'}
        </button>
      </div>
      <p id="key-error" class="error" role="alert">
        {!isChecking && error}
      </p>
      <KeepKey />
    </form>
  );
}

const KeepKey = () => (
  <>
    <fieldset>
      <legend class="unseen">Where to keep the key</legend>
      {Object.entries(keyPlaces).map(([name, [label]]) => (
        <label key={name}>
          <input type="radio" name="place" value={name} defaultChecked={name === 'page'} /> {label}
        </label>
      ))}
    </fieldset>
    <p id="key-note" class="muted">
      The key is sent only to this service.
    </p>
  </>
);
