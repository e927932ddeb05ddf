/* The API key lives in memory only, unless the person keeps it: in sessionStorage until the tab is closed, or in localStorage. */

const STORAGE_KEY = 'chain-insights-key';

/** The places of a key: nowhere, in this tab, or in this browser until it is forgotten. Each with its choice, and what it means. */
export const keyPlaces = {
  page: ['Forget it when I leave', 'The page forgets it when you leave.'],
  tab: ['Keep it in this tab', 'This tab keeps it.'],
  browser: ['Keep it in this browser', 'This browser keeps it until you forget it here.'],
} as const;
export type KeyPlace = keyof typeof keyPlaces;

/** Returns an error message for a key that no HTTP header can hold. The API validates all others. */
export function keyError(key: string): string | undefined {
  if (key === '') return 'Enter your API key.';
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return 'The key contains an invalid character, perhaps an invisible one. Copy it again.';
}

const storages = { tab: () => sessionStorage, browser: () => localStorage } as const;

const keyIn = (place: keyof typeof storages) =>
  tryStorage(() => storages[place]().getItem(STORAGE_KEY)) ?? undefined;

export const storedKey = (): string | undefined => keyIn('tab') ?? keyIn('browser');

export const keyPlace = (): KeyPlace => (keyIn('browser') ? 'browser' : keyIn('tab') ? 'tab' : 'page');

/** Stores a key in one place and removes it from the others; removes it everywhere when undefined. */
export function storeKey(key: string | undefined, place: KeyPlace = 'page'): void {
  for (const [name, storage] of Object.entries(storages))
    tryStorage(() =>
      key !== undefined && name === place
        ? storage().setItem(STORAGE_KEY, key)
        : storage().removeItem(STORAGE_KEY),
    );
}

/** Runs a storage access. Returns undefined where the browser blocks storage for this page, which throws. */
export function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
