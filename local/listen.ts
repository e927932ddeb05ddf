import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Address that only this machine can reach. */
export const LOOPBACK = '127.0.0.1';

/** Returns true for an IPv4 address that only this machine can reach. */
export const isLoopback = (host: string): boolean => host.startsWith('127.');

export const ANY_ADDRESS = '0.0.0.0';

export interface Address {
  /** An address of this machine, by default one that only this machine can reach. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export async function endServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/**
 * Starts to listen, and returns the port.
 * @param prefix of the variables HOST and PORT that configure the address, for error messages
 * @throws Error with a message for the user when the port is in use, or the address does not belong to this machine
 */
export async function listen(server: Server, { host = LOOPBACK, port }: Address, prefix = '') {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const problems: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} is in use by another process. Stop it, or set ${prefix}PORT to another port.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${prefix}HOST to one that is.`,
    };
    const problem = problems[(error as NodeJS.ErrnoException).code ?? ''];
    throw problem ? new Error(problem) : error;
  }
  return (server.address() as AddressInfo).port;
}

/*
 * Protection of servers on this machine from web pages. A page can send requests to any address that the browser reaches. With
 * DNS rebinding, a name of its own resolves to this machine, and the browser lets the page read the responses.
 */

/** IP addresses, and names that no foreign DNS server resolves. Containers reach this machine with the last one. */
const LOCAL_HOST =
  /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]{2,45}\]|localhost|host\.docker\.internal)(:\d{1,5})?$/i;

/** Returns true when the Host header is an address or a name of this machine. Scripts in a browser cannot set it. */
export const isForLocalHost = ({ headers: { host = '' } }: IncomingMessage): boolean => LOCAL_HOST.test(host);

/**
 * Returns false when a page of another site sent a request. Browsers add `Origin` to requests to other origins and to each POST, and
 * scripts cannot set it. For pages of this server, its host equals `Host`.
 */
export const isOfOwnPage = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin === undefined || URL.parse(origin)?.host === host;

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
