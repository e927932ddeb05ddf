import { Button } from './button.tsx';

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
