export function download(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // By then the download has started, and the browser keeps the data that it reads.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
