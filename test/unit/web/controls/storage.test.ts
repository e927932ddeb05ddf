import { keyError, keyPlace, storedKey, storeKey } from '#web/controls/storage.ts';

test.each(['\u200Blocal-key', '“local-key”', 'local key', 'schlüssel', 'a\nb'])(
  'refuses %j for its invalid character',
  (key) => {
    expect(keyError(key)).toMatch(/^The key contains an invalid character/);
  },
);

/** The methods of a browser storage that the page uses. */
function storageOf(items: Map<string, string>) {
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  };
}

describe('a key', () => {
  const [tab, browser] = [new Map<string, string>(), new Map<string, string>()];
  beforeEach(() => {
    tab.clear();
    browser.clear();
    Object.assign(globalThis, { sessionStorage: storageOf(tab), localStorage: storageOf(browser) });
  });
  afterEach(() => {
    for (const name of ['sessionStorage', 'localStorage']) Reflect.deleteProperty(globalThis, name);
  });

  test.each(['tab', 'browser'] as const)('is kept in the %s, and nowhere else', (place) => {
    storeKey('other', place === 'tab' ? 'browser' : 'tab');
    storeKey('secret', place);
    expect([keyPlace(), storedKey()]).toEqual([place, 'secret']);
    expect(tab.size + browser.size).toBe(1);
  });

  test('is kept nowhere unless the person says so, and forgotten everywhere', () => {
    storeKey('secret');
    expect([keyPlace(), storedKey()]).toEqual(['page', undefined]);
    storeKey('secret', 'browser');
    storeKey(undefined);
    expect(storedKey()).toBeUndefined();
  });

  test('pages work where the browser blocks storage', () => {
    Reflect.deleteProperty(globalThis, 'sessionStorage');
    Reflect.deleteProperty(globalThis, 'localStorage');
    storeKey('secret', 'browser');
    expect([storedKey(), keyPlace()]).toEqual([undefined, 'page']);
  });
});
