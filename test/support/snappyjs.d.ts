/** Types of snappyjs, which has none. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array;
  export function uncompress(bytes: Uint8Array, longest?: number): Uint8Array;
}
