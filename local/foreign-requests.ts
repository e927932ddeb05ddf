import type { IncomingMessage, RequestListener, Server } from 'node:http';

/*
 * Protection of servers on this machine from web pages. A page can send requests to any address that the browser reaches. With
 * DNS rebinding, a name of its own resolves to this machine, and the browser lets the page read the responses.
 */

/** IP addresses, and names that no foreign DNS server resolves. Containers reach this machine with the last one. */
const LOCAL_HOST =
  /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]{2,45}\]|localhost|host\.docker\.internal)(:\d{1,5})?$/i;

/** Returns true when the Host header is an address or a name of this machine. Scripts in a browser cannot set it. */
export const isForLocalHost = ({ headers: { host = '' } }: IncomingMessage): boolean => LOCAL_HOST.test(host);

/** Makes a server answer 403 to requests of web pages: those with an `Origin`, or with a foreign name as `Host`. */
export function refuseWebPages(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.headers.origin === undefined && isForLocalHost(request)) {
      for (const handle of handlers) handle(request, response);
      return;
    }
    response.writeHead(403, { Connection: 'close' }).end('This server refuses requests of web pages.\n');
  });
}
