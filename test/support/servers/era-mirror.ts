import { createServer } from 'node:http';
import { serve } from './serve.ts';

/**
 * Starts a web server with an index page and files, of which it serves parts.
 * @param hangsAt position in a file at which parts with blocks begin that it never sends; headers alone are shorter
 */
export async function startEraMirror(files: ReadonlyMap<string, Buffer>, hangsAt = Number.POSITIVE_INFINITY) {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const file = files.get(name);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (file && from === undefined) response.end(file);
    else if (
      file &&
      Number(from) >= hangsAt &&
      Number(to) - Number(from) >= 1_024 &&
      Number(to) < file.length - 1
    )
      return;
    else if (name === '') {
      response.end([...files.keys()].map((key) => `<a href="${key}">${key}</a>`).join('\n'));
    } else if (file && from !== undefined && Number(from) < file.length) {
      const part = file.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
      response.writeHead(206, { 'content-range': range }).end(part);
    } else response.writeHead(404).end();
  });
  return serve(server);
}
