import { compress, uncompress as decompress } from 'snappyjs';

/* The part of the native module `snappy` that @ethereumjs/e2store calls, in JavaScript. */

export const compressSync = (bytes: Uint8Array): Buffer => Buffer.from(compress(bytes));

/** Decompresses a block. */
export const uncompress = (
  bytes: Uint8Array,
  _options: unknown,
  done: (error: Error | null, output?: Buffer) => void,
): void => done(null, Buffer.from(decompress(bytes)));
