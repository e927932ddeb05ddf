/* The API key lives in memory only. If the user asks to keep it, it also lives in sessionStorage until the tab is closed. */

const STORAGE_KEY = 'chain-insights-key';

/** Returns an error message for a key that no HTTP header can hold. The API validates all others. */
export function keyError(key: string): string | undefined {
  if (key === '') return 'Enter your API key.';
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return 'The key contains an invalid character, perhaps an invisible one. Copy it again.';
}

export const storedKey = (): string | undefined =>
  tryStorage(() => sessionStorage.getItem(STORAGE_KEY)) ?? undefined;

/** Stores the key, or removes it when undefined. */
export const storeKey = (key: string | undefined): void =>
  tryStorage(() => (key ? sessionStorage.setItem(STORAGE_KEY, key) : sessionStorage.removeItem(STORAGE_KEY)));

/** Runs a storage access. Returns undefined where the browser blocks storage for this page, which throws. */
export function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
