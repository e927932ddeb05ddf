/* The API key lives in memory only. If the user asks to keep it, it also lives in sessionStorage until the tab is closed. */

const STORAGE_KEY = 'chain-insights-key';

/** Returns an error message for a key that no HTTP header can hold. The API validates all others. */
export function keyError(key: string): string | undefined {
  if (key === '') return 'Enter your API key.';
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return 'The key contains an invalid character, perhaps an invisible one. Copy it again.';
}

/** Returns the stored key. Access throws where the browser blocks storage for this page. */
export function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the key, or removes it when undefined. */
export function storeKey(key: string | undefined): void {
  try {
    if (key) sessionStorage.setItem(STORAGE_KEY, key);
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {}
}
