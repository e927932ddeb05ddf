import { storeKey } from './storage.ts';

/* Only in the pages that `npm start` serves: takes the key from the link that it prints, and removes it from the address. */
const key = new URLSearchParams(location.hash.slice(1)).get('key');
if (key) {
  storeKey(key, 'tab');
  history.replaceState(null, '', location.pathname + location.search);
}
