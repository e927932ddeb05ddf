/** Maximum age of a cached item in milliseconds, and so the longest that a response may lag behind the table. */
const TTL_MS = 1_000;

/** Returns a function that shares each read for a while. A failed read is not kept. */
export function cacheBriefly<T>(read: () => Promise<T>, now = Date.now, ttlMs = TTL_MS): () => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    const at = now();
    // The clock may have been set back.
    if (latest && latest.at <= at && at < latest.at + ttlMs) return latest.result;
    const result = read();
    latest = { at, result };
    result.catch(() => {
      if (latest?.result === result) latest = undefined;
    });
    return result;
  };
}

/** Returns a function that keeps its result for each key. */
export function memoize<Key, Value extends object>(create: (key: Key) => Value): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  return (key) => {
    const value = kept.get(key) ?? create(key);
    kept.set(key, value);
    return value;
  };
}
