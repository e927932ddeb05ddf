import type { ButtonHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';

/** A button that does not stand out. It submits no form. As all controls, it keeps its name when a browser translates the page. */
export const Button = (props: ButtonHTMLAttributes) => (
  <button type="button" class="quiet" translate={false} {...props} />
);

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<string, string>>;
  /** Reasons, by the option that cannot be chosen. */
  readonly unavailable?: Readonly<Record<string, string>>;
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>({
  label,
  value,
  options,
  unavailable = {},
  onChoose,
}: ChoiceProps<T>) {
  return (
    <select
      aria-label={label}
      translate={false}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as T)}
    >
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option} selected={option === value} disabled={option in unavailable}>
          {unavailable[option] ? `${text} (${unavailable[option]})` : text}
        </option>
      ))}
    </select>
  );
}

/** A date that no line breaks within, and no browser translates. */
const Day = (date: string) => <time translate={false}>{date}</time>;

/** Shows a text with its dates as elements. */
export const dated = (text: string, show = Day) =>
  text.split(/(\d{4}-\d\d-\d\d)/).map((part, index) => (index % 2 === 0 ? part : show(part)));

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

/** Shows messages about what went wrong, each once. */
export function Notices({ texts, onRetry }: { readonly texts: readonly string[]; onRetry?: () => void }) {
  if (texts.length === 0) return null;
  return (
    <div role="alert" class="card notice">
      {[...new Set(texts)].map((text) => (
        <p key={text}>{text}</p>
      ))}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
