import { renameSync, writeFileSync } from 'node:fs';

/** In two steps, so that a process that is killed meanwhile leaves the old file or the new one, and no part of one. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
