import { storeKey } from './storage.ts';

/* Only in the pages that `npm start` serves: takes the key from the link that it prints, and removes it from the address. */
function takeKey(): boolean {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!key) return false;
  storeKey(key, 'tab');
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}

takeKey();
// A link that differs only in its hash does not load an open page again.
addEventListener('hashchange', () => takeKey() && location.reload());
