import { element } from './dom.ts';

/** Has the browser save something under a name. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  // The download has begun by then, and the browser keeps what it reads.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
