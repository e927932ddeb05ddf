/* The key is in the memory of the tab alone, unless a person asks to keep it: then it is there until the tab is closed. */

const KEPT = 'chain-insights-key';

/** What is wrong with a key that no header can hold; the API judges all others. */
export function problemOfKey(key: string): string | undefined {
  if (key === '') return 'Enter your API key.';
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return 'The key has a character that no key has, perhaps one that cannot be seen. Copy it again.';
}

/** A browser that keeps nothing for this page throws. */
export function keptKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param key undefined to forget it */
export function keepKey(key: string | undefined): void {
  try {
    if (key) sessionStorage.setItem(KEPT, key);
    else sessionStorage.removeItem(KEPT);
  } catch {}
}
