import { createKeccak, type IHasher } from 'hash-wasm';

let hasher: IHasher | undefined;

/**
 * Compiles the WebAssembly of keccak-256. Await this before the first proof; later calls return at once. Callers do it, because the
 * functions are bundled as CommonJS, which has no top-level await.
 */
export async function loadKeccak(): Promise<void> {
  hasher ??= await createKeccak(256);
}

/**
 * Returns the 32 bytes of keccak-256 of `bytes`.
 * @throws Error when `loadKeccak` was not awaited
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (!hasher) throw new Error('Cannot hash: keccak-256 is not loaded. Await loadKeccak() first.');
  hasher.init();
  hasher.update(bytes);
  return hasher.digest('binary');
}
