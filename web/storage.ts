/** Runs a storage access. Returns undefined where the browser blocks storage for this page, which throws. */
export function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
