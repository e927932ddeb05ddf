import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { types } from 'node:util';

/** The address that nobody but this machine reaches. */
export const LOOPBACK = '127.0.0.1';

/** Where a server listens. */
export interface Address {
  /** An address of this machine; all of them when undefined. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Ends a server, with the connections that it has. */
export async function endServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/**
 * Has a server listen.
 * @param prefix what the variables that choose the address begin with, before HOST and PORT
 * @returns its port
 * @throws Error in one sentence when the port is taken, or the address is not of this machine
 */
export async function listen(server: Server, { host, port }: Address, prefix = ''): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    switch (types.isNativeError(error) && 'code' in error && error.code) {
      case 'EADDRINUSE':
        throw new Error(
          `Port ${port} is taken by another process: stop it, or choose another with ${prefix}PORT=<number>.`,
        );
      case 'EADDRNOTAVAIL':
        throw new Error(
          `${host} is no address of this machine: choose one that is with ${prefix}HOST=<address>.`,
        );
      default:
        throw error;
    }
  }
  return (server.address() as AddressInfo).port;
}
