import { createServer } from 'node:http';
import { serve } from './serve.ts';

/** Starts a web server with an index page and files, of which it serves parts. */
export async function startEraMirror(files: ReadonlyMap<string, Buffer>) {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const file = files.get(name);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (name === '') {
      response.end([...files.keys()].map((key) => `<a href="${key}">${key}</a>`).join('\n'));
    } else if (file && from !== undefined && Number(from) < file.length) {
      const part = file.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
      response.writeHead(206, { 'content-range': range }).end(part);
    } else response.writeHead(404).end();
  });
  return serve(server);
}
