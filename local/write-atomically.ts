import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically: a process that is killed meanwhile leaves the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
